import { describe, expect, test } from "vitest";
import { answeredBackground, terminalLook } from "../../../src/view/theme/terminal-look.ts";

describe("the environment's description of a terminal", () => {
  test.each<[env: Record<string, string>, look: ReturnType<typeof terminalLook>]>([
    [{ TERM: "xterm" }, { colors: 16, background: "dark" }],
    [{ TERM: "xterm-256color" }, { colors: 256, background: "dark" }],
    [
      { TERM: "xterm-256color", COLORTERM: "truecolor" },
      { colors: "true", background: "dark" },
    ],
    [
      { TERM: "dumb", COLORTERM: "truecolor" },
      { colors: 0, background: "dark" },
    ],
    [
      { TERM: "xterm", NO_COLOR: "1" },
      { colors: 0, background: "dark" },
    ],
    [
      { TERM: "xterm", NO_COLOR: "" },
      { colors: 16, background: "dark" },
    ],
    [
      { TERM: "xterm", COLORFGBG: "0;15" },
      { colors: 16, background: "light" },
    ],
    [
      { TERM: "xterm", COLORFGBG: "15;default;0" },
      { colors: 16, background: "dark" },
    ],
    [
      { TERM: "xterm", COLORFGBG: "0;default" },
      { colors: 16, background: "dark" },
    ],
  ])("%j", (env, look) => expect(terminalLook(env)).toEqual(look));
});

describe("a terminal's answer about its background", () => {
  test.each<[reply: string, background: "dark" | "light" | null]>([
    ["\x1b]11;rgb:ffff/ffff/ffff\x07", "light"],
    ["\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "dark"],
    ["\x1b]11;rgba:ff/ff/e0/ff\x07", "light"],
    ["\x1b[?62;4c", null],
  ])("%j", (reply, background) => expect(answeredBackground(reply)).toBe(background));
});
