import { expect, test } from "vitest";
import { answersSixel, pictureProtocol } from "../../../src/view/pictures/picture-protocol.ts";

test.each([
  ["kitty", { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "kitty"],
  ["Ghostty", { TERM: "xterm-ghostty" }, "kitty"],
  ["iTerm2", { TERM_PROGRAM: "iTerm.app", TERM: "xterm-256color" }, "iterm2"],
  ["iTerm2 at the other end of ssh", { LC_TERMINAL: "iTerm2", TERM: "xterm-256color" }, "iterm2"],
  ["WezTerm", { TERM_PROGRAM: "WezTerm" }, "iterm2"],
  ["foot", { TERM: "foot" }, "sixel"],
  ["tmux inside of kitty", { TERM: "tmux-256color", TMUX: "/tmp/tmux", KITTY_WINDOW_ID: "1" }, "half-block"],
  ["screen", { TERM: "screen.xterm-256color" }, "half-block"],
  ["any other", { TERM: "xterm-256color" }, "half-block"],
  ["a terminal that does not say", {}, "half-block"],
  ["a dumb terminal", { TERM: "dumb" }, null],
])("in %s", (_name, env, protocol) => {
  expect(pictureProtocol(env)).toBe(protocol);
});

test("a setting overrides the terminal's own report", () => {
  expect(pictureProtocol({ KITTY_WINDOW_ID: "1" }, "sixel")).toBe("sixel");
  expect(pictureProtocol({ KITTY_WINDOW_ID: "1" }, "none")).toBeNull();
});

test.each([
  ["\u001b[?62;4;22c", true],
  ["\u001b[?1;2c", false],
  ["\u001b[?64;14;24c", false],
  ["\u001b[?4;1c", false],
  ["c", null],
  ["\u001b[A", null],
])("a terminal that answers %j", (answer, hasSixel) => {
  expect(answersSixel(answer)).toBe(hasSixel);
});
