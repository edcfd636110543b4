import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { keys } from "../../terminal/keys.ts";
import { TestConsole, type TestConsoleOptions } from "./consoles.ts";

const altF = "\x1bf";

function consoleWith(history: readonly string[], options: TestConsoleOptions = {}): TestConsole {
  const home = mkdtempSync(join(tmpdir(), "granary-history-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "console-history.jsonl"), history.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return new TestConsole({ home, ...options });
}

describe("suggestions from the history", () => {
  test.each([
    ["→", keys.right],
    ["End", keys.end],
    ["Ctrl-E", keys.ctrl("e")],
  ])("the newest line with the same beginning is shown after the cursor, and %s accepts it", async (_, key) => {
    const console = consoleWith(["print('old')", "print('new')", "other"]);
    console.terminal.type(..."pri");
    await console.shows(/❯ print\('new'\)\n/);
    // Dimmed, and the cursor stays in place.
    const { row, column } = console.terminal.cursor;
    const colours = [column - 1, column, column + 2].map((at) => console.terminal.cell(row, at).getFgColor());
    expect(colours[1]).not.toBe(colours[0]);
    expect(colours[1]).toBe(colours[2]);
    expect(console.terminal.screen.split("\n")[row]?.slice(0, column)).toMatch(/❯ pri$/);
    console.terminal.type(key, ..." ;1");
    await console.shows(/❯ print\('new'\) ;1\n/);
  });

  test("Alt-F accepts a word", async () => {
    const console = consoleWith(["alpha.beta(gamma)"]);
    console.terminal.type(..."al");
    await console.shows("alpha.beta(gamma)");
    console.terminal.type(altF, altF, ..."!");
    await console.shows(/❯ alpha\.beta!\n/);
  });

  test("only the typed text runs, without the suggestion", async () => {
    const console = consoleWith(["1 + 1"]);
    console.terminal.type("1");
    await console.shows("❯ 1 + 1");
    console.terminal.type(keys.enter);
    await console.shows(/❯ 1\n {2}1\n/);
  });

  test("with several lines or little room, a part is shown on the line", async () => {
    const console = consoleWith([`for letter in '${"x".repeat(100)}':\n    pass`, "if True:\n    pass"], {
      columns: 40,
    });
    console.terminal.type(..."if");
    await console.shows(/❯ if True: …\n(Python|starting)/);
    console.terminal.type(keys.ctrl("u"), ..."for l");
    await console.shows(/❯ for letter in 'x+…\n(Python|starting)/);
    console.terminal.type(keys.right);
    await console.shows(/x':\n\s*·\s+pass\n/);
  });

  test("there is none in the middle of a text, with NO_COLOR, or with console.suggestions off", async () => {
    const middle = consoleWith(["print('new')"]);
    middle.terminal.type(..."pri");
    await middle.shows("print('new')");
    middle.terminal.type(keys.left);
    await middle.shows(/❯ pri\n/);
    const variables = [{ NO_COLOR: "1" }, { GRANARY_CONSOLE_SUGGESTIONS: "off" }];
    for (const env of variables) {
      const console = consoleWith(["print('new')"], { env });
      await console.shows(/❯\nPython 3/);
      console.terminal.type(..."pri", keys.right, ..."!");
      await console.shows(/❯ pri!\n/);
      expect(console.terminal.written).not.toContain("new");
    }
  });
});
