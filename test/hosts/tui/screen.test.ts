import { afterEach, describe, expect, test } from "vitest";
import type { Key } from "../../../src/hosts/tui/keys.ts";
import { cursor, openScreen, type Screen, type TerminalSize, type View } from "../../../src/hosts/tui/screen.ts";
import { keys } from "../../terminal/keys.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

/** Shows the given lines. */
class Board implements View {
  lines: readonly string[] = [];
  readonly pressed: Key[] = [];
  readonly replies: string[] = [];
  clearings = 0;
  renders = 0;
  lastingLines = Number.POSITIVE_INFINITY;
  size: TerminalSize | null = null;

  render(size: TerminalSize): readonly string[] {
    this.renders += 1;
    this.size = size;
    return this.lines;
  }

  press(key: Key): void {
    this.pressed.push(key);
  }

  beforeClearing(): void {
    this.clearings += 1;
  }

  reply(sequence: string): void {
    this.replies.push(sequence);
  }
}

let screen: Screen | undefined;
afterEach(() => screen?.close());

function open({ columns = 20, rows = 6, before = "", fullScreen = false } = {}) {
  const device = new VirtualTerminal({ columns, rows });
  device.write(before);
  const board = new Board();
  const opened = openScreen(board, { device, fullScreen, stopProcess: () => {} });
  screen = opened;
  const show = (...lines: string[]): void => {
    board.lines = lines;
    opened.repaint();
  };
  return { device, board, show, screen: opened };
}

describe("a screen", () => {
  test("shows the lines of its view below earlier output", async () => {
    const { device, show } = open({ before: "$ granary\n" });
    show("one", `tw${cursor}o`);
    await device.shows("$ granary\none\ntwo");
    expect(device.cursor).toEqual({ row: 2, column: 2 });
  });

  test("writes only the lines that changed", async () => {
    const { device, show } = open();
    show("alpha", "beta", "gamma");
    await device.shows("gamma");
    device.written = "";
    show("alpha", "delta", "gamma");
    await device.shows("delta");
    expect(device.written).not.toContain("alpha");
    expect(device.written).not.toContain("gamma");
  });

  test("lets lines that do not fit scroll away, where they can still be read", async () => {
    const { device, show } = open();
    show(...Array.from({ length: 10 }, (_, at) => `line ${at}`));
    await device.shows(/^line 4\n(.*\n)*line 9$/);
    expect(device.scrollback).toMatch(/^line 0\nline 1\n/);
  });

  test("cuts a line that is too wide, including wide characters", async () => {
    const { device, show } = open({ columns: 8 });
    show("0123456789", "日本語日本語", "end");
    await device.shows("01234567\n日本語日\nend");
  });

  test("makes its view forget scrolled-away lines on a resize, and keeps other programs' output", async () => {
    const { device, board, show } = open({ before: "what the shell said\n" });
    show("one", "two");
    await device.shows("two");
    device.resize(30, 6);
    await device.shows(/^one\ntwo$/);
    expect(board.clearings).toBe(1);
    expect(device.scrollback).toContain("what the shell said");
  });

  test("scrolls everything away, where it can still be read, and begins at the top", async () => {
    const { device, board, show, screen } = open({ before: "what the shell said\n" });
    board.lastingLines = 2;
    show("one", "two", `prompt${cursor}`, "status");
    await device.shows("status");
    screen.scrollAway();
    board.lastingLines = 0;
    show(`prompt${cursor}`, "status");
    await device.shows(/^prompt\nstatus$/);
    expect(device.scrollback).toBe("what the shell said\none\ntwo\nprompt\nstatus");
    show("three", `prompt${cursor}`, "status");
    await device.shows(/^three\nprompt\nstatus$/);
  });

  test("can be full screen, and disappears at the end", async () => {
    const { device, show, screen } = open({ before: "before", fullScreen: true });
    show("inside");
    await device.shows(/^inside$/);
    expect(device.isOwnScreen).toBe(true);
    screen.close();
    await device.shows(/^before/);
    expect(device.isOwnScreen).toBe(false);
  });

  test("paints nothing while idle", async () => {
    const { device, board, show } = open();
    show("still");
    await device.shows("still");
    const { renders } = board;
    device.written = "";
    await new Promise((resolve) => setImmediate(resolve));
    expect([board.renders, device.written]).toEqual([renders, ""]);
  });

  test("paints again after it was suspended and resumed", async () => {
    const { device, show, screen } = open();
    show("one", "two");
    await device.shows("two");
    screen.suspend();
    expect(device.isOpen).toBe(false);
    device.write("[1]+ Stopped\n");
    process.emit("SIGCONT");
    await device.shows("Stopped\none\ntwo");
    expect(device.isOpen).toBe(true);
  });

  test("passes on the terminal's replies", async () => {
    const { device, board } = open();
    device.type("\x1b[6;20;10t", "\x1b[?62;4c");
    await device.shows("");
    expect(board.replies).toEqual(["\x1b[?62;4c"]);
    expect(screen?.size.cellPixels).toEqual({ width: 10, height: 20 });
    expect(board.pressed).toEqual([]);
  });
});

describe("keys", () => {
  test.each<[what: string, sent: string, key: Key]>([
    ["a letter", "a", { type: "text", text: "a" }],
    ["a blank", " ", { type: "text", text: " " }],
    ["an umlaut", "ö", { type: "text", text: "ö" }],
    ["an emoji", "😀", { type: "text", text: "😀" }],
    ["Enter", keys.enter, { type: "key", name: "enter" }],
    ["Alt-Enter", keys.newline, { type: "key", name: "alt+enter" }],
    ["Ctrl-J", "\n", { type: "key", name: "ctrl+j" }],
    ["Ctrl-C", keys.ctrl("c"), { type: "key", name: "ctrl+c" }],
    ["an arrow", keys.up, { type: "key", name: "up" }],
    ["Shift-Tab", keys.shiftTab, { type: "key", name: "shift+tab" }],
    ["Shift-Tab on the Linux console", "\x1b\t", { type: "key", name: "shift+tab" }],
    ["Home", keys.home, { type: "key", name: "home" }],
    ["Home in tmux, in screen and on the Linux console", "\x1b[1~", { type: "key", name: "home" }],
    ["End", keys.end, { type: "key", name: "end" }],
    ["End in tmux, in screen and on the Linux console", "\x1b[4~", { type: "key", name: "end" }],
    ["Home in rxvt", "\x1b[7~", { type: "key", name: "home" }],
    ["End in rxvt", "\x1b[8~", { type: "key", name: "end" }],
    ["Delete", keys.delete, { type: "key", name: "delete" }],
    ["PageUp", "\x1b[5~", { type: "key", name: "pageUp" }],
    ["PageDown", "\x1b[6~", { type: "key", name: "pageDown" }],
    ["an arrow in tmux and in screen", "\x1bOA", { type: "key", name: "up" }],
    ["Ctrl and an arrow", "\x1b[1;5D", { type: "key", name: "ctrl+left" }],
    ["Alt and an arrow", "\x1b[1;3C", { type: "key", name: "alt+right" }],
    ["Shift-Enter, where terminals can tell it", "\x1b[13;2u", { type: "key", name: "shift+enter" }],
    ["Backspace", keys.backspace, { type: "key", name: "backspace" }],
    ["a paste", "\x1b[200~a\rb\x1b[201~", { type: "paste", text: "a\nb" }],
  ])("%s", (_what, sent, key) => {
    const { device, board } = open();
    device.type(sent);
    expect(board.pressed).toEqual([key]);
  });

  test("a sequence may come in pieces", () => {
    const { device, board } = open();
    device.type("\x1b", "[", "A", "x");
    expect(board.pressed).toEqual([
      { type: "key", name: "up" },
      { type: "text", text: "x" },
    ]);
  });
});
