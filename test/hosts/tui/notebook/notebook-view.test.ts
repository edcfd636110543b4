import { describe, expect, test } from "vitest";
import { opened } from "./opened.ts";

const markdown = (source: string) => ({ cell_type: "markdown", source });

test("a notebook's cells are shown with their outputs, the kernel and the keys", async () => {
  const { terminal } = await opened(
    [
      markdown("# Prices\n\nWhat they **cost**."),
      {
        source: "total = 6 * 7\nprint('the total')\ntotal",
        execution_count: 3,
        outputs: [
          { output_type: "stream", name: "stdout", text: ["the total\n"] },
          { output_type: "execute_result", execution_count: 3, data: { "text/plain": ["42"] }, metadata: {} },
        ],
      },
      "1 / 0",
    ],
    { columns: 60, rows: 17 },
  );
  await terminal.shows("42");
  const [title = "", ...lines] = terminal.screen.split("\n");
  expect(title).toMatch(/^notebook-\d+\.ipynb +cell 0 of 3$/);
  expect(lines).toEqual([
    "┃ markdown ─────────────────────────────────────────────────",
    "┃ # Prices",
    "┃",
    "┃ What they cost.",
    "  [3] ──────────────────────────────────────────────────────",
    "│ total = 6 * 7",
    "│ print('the total')",
    "│ total",
    "  the total",
    "  42",
    "  [ ] ──────────────────────────────────────────────────────",
    "│ 1 / 0",
    "",
    "",
    "● not started",
    "Enter edit  e $EDITOR  r run  R all  ? help  q quit",
  ]);
});

describe("moving", () => {
  const many = Array.from({ length: 50 }, (_, at) => `x_${at} = ${at}`);

  test("keeps the selected cell on the screen", async () => {
    const { terminal } = await opened(many, { rows: 12 });
    expect(terminal.screen).toContain("┃ x_0 = 0");
    terminal.type("j", "j", "\x1b[B");
    await terminal.shows(/cell 3 of 50(?:.|\n)*┃ x_3 = 3/);
    terminal.type("k");
    await terminal.shows("┃ x_2 = 2");
    terminal.type("G");
    await terminal.shows(/cell 49 of 50(?:.|\n)*┃ x_49 = 49/);
    terminal.type("g", "g");
    await terminal.shows("┃ x_0 = 0");
  });

  test("pages go through the notebook, and the visible cell is selected", async () => {
    const { terminal } = await opened(many, { rows: 13 });
    terminal.type("\x1b[6~");
    await terminal.shows("┃ x_4 = 4");
    terminal.type("\x1b[5~");
    await terminal.shows("x_0 = 0");
  });

  test("ten thousand cells are as fast as ten, because only those on the screen are painted", async () => {
    const { terminal } = await opened(
      Array.from({ length: 10_000 }, (_, at) => `x = ${at}`),
      { rows: 20 },
    );
    terminal.type("G");
    await terminal.shows(/cell 9999 of 10000(?:.|\n)*┃ x = 9999/);
    terminal.type("k");
    await terminal.shows("┃ x = 9998");
  });

  test("the screen is right after a resize", async () => {
    const { terminal } = await opened([`print("${"long ".repeat(30)}")`, "b = 2"], { columns: 80, rows: 20 });
    terminal.resize(40, 12);
    await terminal.shows(/ {5,20}cell 0 of 2$/m);
    const lines = terminal.screen.split("\n");
    expect(lines).toHaveLength(12);
    expect(lines[1]).toBe(`┃ [ ] ${"─".repeat(34)}`);
    expect(lines.filter((line) => line.startsWith("┃ "))).toHaveLength(6);
    terminal.resize(100, 30);
    await terminal.shows(/ {60,}cell 0 of 2$/m);
    expect(terminal.screen.split("\n")).toHaveLength(30);
    expect(terminal.screen).toMatch(/^│ b = 2$/m);
  });

  test("Ctrl-Z gives the terminal back, and the notebook reappears afterwards", async () => {
    const { terminal } = await opened(["x = 1"]);
    terminal.type("\x1a");
    expect(terminal.isOpen).toBe(false);
    await terminal.shows(/^$/);
    process.emit("SIGCONT");
    await terminal.shows("┃ x = 1");
    terminal.type("?");
    await terminal.shows("any key goes back");
  });

  test("? lists every key, and any key returns", async () => {
    const { terminal } = await opened(["1"], { rows: 40 });
    terminal.type("?");
    await terminal.shows(/shift\+enter, alt\+enter, r +run the cell and go to the next/);
    terminal.type("x");
    await terminal.shows("┃ 1");
  });
});

describe("long outputs", () => {
  const printed = (text: string) => ({
    source: "print(text)",
    execution_count: 1,
    outputs: [{ output_type: "stream", name: "stdout", text }],
  });
  const numbers = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");

  test("show their beginning and their end, and all of it with o", async () => {
    const { terminal } = await opened([printed(`${numbers}\n`)], { rows: 30 });
    await terminal.shows(/line 7\n.*… 86 more lines \(o\)\n.*line 94\n/);
    terminal.type("o");
    await terminal.shows(/line 7\n.*line 8\n/);
    terminal.type("o");
    await terminal.shows("86 more lines");
  });

  test("leave out the middle when they are very long, and the screen does not wait", async () => {
    const { terminal } = await opened([printed(`first\n${"x".repeat(3_000_000)}\nlast\n`)], { rows: 30 });
    await terminal.shows("last");
    terminal.type("o", "G");
    await terminal.shows(/cell 0 of 1/);
  });

  test("cannot control the terminal", async () => {
    const { terminal } = await opened([
      { ...printed("a\u001b[1mb\u001b]0;title\u0007c\n"), source: "'\u001b[31m\u202e'" },
      markdown("\u001b[2J# hello"),
    ]);
    await terminal.shows("abc");
    expect(terminal.screen).toContain("'␛[31m<U+202E>'");
    expect(terminal.written).not.toContain("\u001b]0;");
    expect(terminal.written).not.toContain("\u001b[31m\u202e");
  });
});
