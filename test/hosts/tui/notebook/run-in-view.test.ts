import { describe, expect, test } from "vitest";
import { notebookFile, readCells, shownBy } from "../../../execute/notebook-runs.ts";
import { until } from "../../../kernel/until.ts";
import { keys } from "../../../terminal/keys.ts";
import { opened } from "./opened.ts";

describe("running", () => {
  test("a cell shows its output, saves the notebook and moves to the next", async () => {
    const { terminal, path } = await opened(["print('hello'); 6 * 7", "x = 1"]);
    terminal.type("r");
    await terminal.shows(/ \[1\] ✓ .*\n│ print.*\n {2}hello\n {2}42\n┃ \[ \]/);
    await terminal.shows(/^● idle · Python 3\.\d+\.\d+ · kernel 1 · [\d.]+ MB$/m);
    await until("it is saved", () => shownBy(path)[0]?.length === 2);
    expect(shownBy(path)[0]).toEqual(["stdout: hello\n", "result: 42"]);
    expect(readCells(path)[0]).toMatchObject({ execution_count: 1 });
  });

  test("Markdown is skipped, and a cell edited after its run says so", async () => {
    const { terminal, edit } = await opened([{ cell_type: "markdown", source: "# Title" }, "x = 1  "]);
    terminal.type("r", "r");
    await terminal.shows(/┃ \[1\] ✓ \S+ \S+ ─/);
    await edit("y = 2; ");
    await terminal.shows(/┃ \[1\] ✓ .* edited since it ran ─/);
  });

  test("all fifty cells of a notebook run one after the other, and their outputs are in the file", async () => {
    const cells = Array.from({ length: 50 }, (_, at) => (at === 0 ? "total = 0" : `total += ${at}\nprint(total)`));
    const { terminal, path } = await opened(cells);
    terminal.type("R");
    await until("the last is saved", () => (shownBy(path)[49]?.length ?? 0) > 0);
    expect(shownBy(path)[49]).toEqual(["stdout: 1225\n"]);
    expect(readCells(path).map(({ execution_count }) => execution_count)).toEqual(cells.map((_, at) => at + 1));
    terminal.type("G");
    await terminal.shows(/┃ \[50\] ✓ .*\n┃ total \+= 49\n┃ print\(total\)\n┃ 1225\n/);
    expect(terminal.screen).not.toContain("not saved");
  });

  test("stops at a cell that fails, and shows the exception", async () => {
    const { terminal, path } = await opened(["1 / 0", "print('not reached')"]);
    terminal.type("R");
    await terminal.shows(/┃ \[1\] ✗ /);
    await terminal.shows("ZeroDivisionError: division by zero");
    await terminal.shows("Stopped at cell 0: the cell after it was not run.");
    await until("it is saved", () => shownBy(path)[0]?.length === 1);
    expect(shownBy(path)).toEqual([["error: ZeroDivisionError: division by zero"], []]);
    expect(terminal.screen).toMatch(/ \[ \] ─+\n│ print\('not reached'\)/);
  });

  test("output is live, and i i interrupts the cell", async () => {
    const { terminal } = await opened(["import time\nprint('working')\ntime.sleep(600)", "x = 1"]);
    terminal.type("R");
    await terminal.shows(/┃ \[\*\] ▶ (?:.|\n)*┃ working\n(?:.|\n)*\[\*\] ○ ─/);
    await terminal.shows(/^● busy .*cell 0 .*, 1 waiting$/m);
    terminal.type("i", "i");
    await terminal.shows(/┃ \[1\] ■ (?:.|\n)*KeyboardInterrupt/);
    await terminal.shows(/^ {2}\[ \] ─/m);
    await terminal.shows(/^● idle/m);
  });

  test("a progress bar is one line that moves", async () => {
    const bar = "import sys\nfor i in range(101):\n    print(f'\\r{i}%', end='', flush=True)";
    const { terminal } = await opened([bar]);
    terminal.type("r");
    await terminal.shows(/✓ (?:.|\n)*┃ 100%\n/);
    expect(terminal.screen).not.toContain("99%");
  });

  test("the answer to obj? is shown below the cell and not stored in the file", async () => {
    const { terminal, path, text } = await opened(["print('before')\nlen?", "x = 1"]);
    terminal.type("r");
    await terminal.shows("Return the number of items in a container.");
    await until("it is saved", () => shownBy(path)[0]?.length === 1);
    expect(shownBy(path)[0]).toEqual(["stdout: before\n"]);
    terminal.type("r");
    await until("the next cell is saved", () => readCells(path)[1]?.execution_count === 2);
    expect(text()).not.toContain("number of items");
    expect(terminal.screen).toContain("Return the number of items in a container.");
  });

  test("a second run of the cell shows its own answer to obj?, once", async () => {
    const { terminal } = await opened(["len?"]);
    terminal.type("r");
    await terminal.shows("Return the number of items in a container.");
    terminal.type("r");
    await terminal.shows(/\[2\] ✓/);
    await terminal.shows("Return the number of items in a container.");
    expect(terminal.screen.split("Return the number of items").length).toBe(2);
  });

  test("a kernel that is named by the notebook and not installed is reported, with the Python that ran", async () => {
    const path = notebookFile(["1"], { kernelspec: { name: "no-such-kernel", display_name: "X", language: "python" } });
    const { terminal } = await opened({ path }, { columns: 160 });
    terminal.type("r");
    await terminal.shows('names the kernel "no-such-kernel", which is not installed here. Python 3.');
  });

  test("a cell in the editor runs with Alt-Enter, with its current text", async () => {
    const { terminal, text } = await opened(["1"]);
    terminal.type(keys.enter, "print(40 + 2)  # ", keys.newline);
    await terminal.shows(/┃ print\(40 \+ 2\) {2}# 1\n┃ 42\n/);
    await until("it is saved", () => text().includes("print(40 + 2)"));
  });

  test("input() and getpass() are answered at the foot of the screen", async () => {
    const ask = "import getpass\nname = input('Name? ')\nword = getpass.getpass('Word? ')\nprint(name, len(word))";
    const { terminal } = await opened([ask]);
    terminal.type("r");
    await terminal.shows(/^Name\?/m);
    terminal.type(..."Adx", keys.backspace, "a", keys.enter);
    await terminal.shows(/^Word\?/m);
    terminal.type(..."secret", keys.enter);
    await terminal.shows("┃ Ada 6");
    expect(terminal.screen).not.toContain("secret");
  });

  test("Ctrl-C at a question interrupts the cell that asks", async () => {
    const { terminal } = await opened(["input('Name? ')"]);
    terminal.type("r");
    await terminal.shows(/^Name\?/m);
    terminal.type(keys.ctrl("c"));
    await terminal.shows("KeyboardInterrupt");
    await terminal.shows(/Enter edit/);
  });

  test("0 0 restarts Python: variables are lost, outputs stay", async () => {
    const { terminal } = await opened(["x = 1\nprint('made')", "x"]);
    terminal.type("r");
    await terminal.shows(/made\n(?:.|\n)*kernel 1/);
    terminal.type("0", "0");
    await terminal.shows("Python was restarted. All variables are lost.");
    terminal.type("r");
    await terminal.shows(/NameError: name 'x' is not defined(?:.|\n)*kernel 2/);
    expect(terminal.screen).toContain("  made");
  });

  test("a kernel crash is reported, and the next cell gets a fresh one", async () => {
    const { terminal, path } = await opened([
      "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
      "print('alive')",
    ]);
    terminal.type("r");
    await terminal.shows(/ \[.*\] ✗ (?:.|\n)*DeadKernelError(?:.|\n)*SIGKILL/);
    await until("it is saved", () => (shownBy(path)[0]?.length ?? 0) > 0);
    terminal.type("r");
    await terminal.shows(/┃ alive(?:.|\n)*kernel 2/);
  });

  test("output of a thread after its cell belongs to that cell", async () => {
    const late =
      "import threading, time\ndef late():\n    time.sleep(0.3)\n    print('late')\nthreading.Thread(target=late).start()";
    const { terminal } = await opened([late, "x = 1"]);
    terminal.type("r");
    await terminal.shows(/ {2}late\n┃ \[ \]/);
  });

  test("a notebook in another language is not run as Python", async () => {
    const path = notebookFile(["println(1)"], {
      kernelspec: { name: "julia-1.10", language: "julia", display_name: "" },
    });
    const { terminal } = await opened({ path });
    terminal.type("r");
    await terminal.shows("This notebook is in julia (kernel julia-1.10)");
    expect(terminal.screen).toContain("● not started");
  });

  test("leaving while a cell runs asks first, and then ends the cell", async () => {
    const { terminal, left, granary } = await opened(["import time; time.sleep(600)"]);
    terminal.type("r");
    await terminal.shows("● busy");
    terminal.type("q");
    await terminal.shows("A cell is running. Interrupt it and leave? y yes, Esc no");
    terminal.type("y");
    await left;
    expect(granary.executions.every(({ isOver }) => isOver)).toBe(true);
  });
});

test("a hundred thousand lines are read to their end, and the screen shows the last of them", async () => {
  const { terminal, path } = await opened(["for i in range(100_000): print('line', i)"]);
  terminal.type("r");
  await terminal.shows(/✓ (?:.|\n)*line 7\n┃ … 99,986 more lines \(o\)\n┃ line 99994/);
  await until("it is saved", () => (shownBy(path)[0]?.length ?? 0) > 0);
  expect(shownBy(path)[0]?.[0]?.length).toBe("stdout: ".length + 1_088_890);
});
