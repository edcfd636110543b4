import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { until } from "../../kernel/until.ts";
import { keys } from "../../terminal/keys.ts";
import { TestConsole } from "./consoles.ts";

const main = environment("main");

describe("the debugger in the console", () => {
  test("%debug after an exception: commands, an empty line that repeats, arrows, and Ctrl-D that quits", async () => {
    const console = new TestConsole({ rows: 50 });
    const { terminal } = console;
    console.run("def half(number): return number / 0");
    console.run("half(21)");
    await console.shows("ZeroDivisionError");
    console.run("%debug");
    await console.shows(/-> def half\(number\): return number \/ 0\n\n\(Pdb\)/);
    terminal.type(..."p number", keys.enter);
    await console.shows(/\(Pdb\) p number\n {2}21\n\n\(Pdb\)/);
    terminal.type(keys.enter);
    await console.shows(/\(Pdb\) p number\n {2}21\n {2}\(Pdb\)\n {2}21\n\n\(Pdb\)/);
    terminal.type(..."u", keys.enter);
    await console.shows(/-> half\(21\)\n\n\(Pdb\)/);
    // Beyond the first and back down: the typed text is still there.
    terminal.type(..."draft", keys.up, keys.up, keys.up, keys.up);
    await console.shows(/\n\(Pdb\) p number\n/);
    terminal.type(keys.down, keys.down);
    await console.shows(/\n\(Pdb\) draft\n/);
    terminal.type(keys.ctrl("u"), keys.ctrl("d"));
    await console.shows(/\(Pdb\) q\n(.*took.*\n)?\n.*❯\nPython/);
    console.run("'on'");
    await console.shows(/\n {2}'on'\n/);
  });

  test.each(["%debug", "breakpoint()"])(
    "Ctrl-C at the prompt of %s ends the cell without the debugger's own frames",
    async (code) => {
      const console = new TestConsole({ rows: 50 });
      console.run("1/0");
      await console.shows("ZeroDivisionError");
      console.run(code);
      await console.shows(/\n\(Pdb\)/);
      console.terminal.type(keys.ctrl("c"));
      await console.shows(/KeyboardInterrupt[\s\S]*❯\nPython/);
      expect(console.terminal.scrollback).not.toMatch(/\b(cmd|pdb|bdb)\.py/);
    },
  );

  test("breakpoint() in a cell shows the user's frames only, and stepping ends with the cell", async () => {
    const console = new TestConsole({ rows: 50 });
    const { terminal } = console;
    console.run("def inner():", "    breakpoint()", "    display('shown')", "    return 1", "");
    console.run("value = inner()");
    await console.shows(/\n\(Pdb\)/);
    terminal.type(..."w", keys.enter);
    await console.shows(/\(Pdb\) w\n {4}<cell 2>\(1\)<module>\(\)\n/);
    const hasEnded = () => /❯\nPython/.test(terminal.screen);
    for (let steps = 1; steps <= 10 && !hasEnded(); steps++) {
      terminal.type(..."n", keys.enter);
      const areDone = () => terminal.screen.match(/\(Pdb\) n\n/g)?.length === steps;
      const asksAgain = () => /\n\n\(Pdb\)\n/.test(terminal.screen);
      await until(`step ${steps}`, () => hasEnded() || (areDone() && asksAgain()));
    }
    await console.shows(/--Return--\n {2}> <cell 2>[\s\S]*\(Pdb\) n\n(.*took.*\n)?\n.*❯\nPython/);
    console.run("value");
    await console.shows(/❯ value\n {2}1\n/);
    expect(terminal.scrollback).not.toContain("granary_runner");
  });

  test("answers to input() can be recalled with the arrows, those of getpass() never", async () => {
    const console = new TestConsole();
    const { terminal } = console;
    for (const round of [1, 2]) {
      console.run(`import getpass; (input('Name: '), len(getpass.getpass('Word: ')), ${round})`);
      await console.shows(/^Name:/m);
      terminal.type(...(round === 1 ? "Zoë" : [keys.up]), keys.enter);
      await console.shows(/^Word:/m);
      terminal.type(...(round === 1 ? "secret" : [keys.up]), keys.enter);
      await console.shows(round === 1 ? "('Zoë', 6, 1)" : "('Zoë', 0, 2)");
    }
    expect(terminal.written).not.toContain("secret");
  });

  test("Ctrl-D at input() raises EOFError, as in Python", async () => {
    const console = new TestConsole();
    console.run("input('Name: ')");
    await console.shows(/^Name:/m);
    console.terminal.type(keys.ctrl("d"));
    await console.shows("EOFError: EOF when reading a line");
  });

  test.skipIf("missing" in main)("works on Jupyter's kernels, and Ctrl-D quits it there", async () => {
    const { python } = main as { python: string };
    const console = new TestConsole({ python, rows: 50, env: { GRANARY_PYTHON_BACKEND: "zmq" } });
    console.run("1/0");
    await console.shows("ZeroDivisionError");
    console.run("%debug");
    await console.shows(/\nipdb>/);
    console.terminal.type(..."p 6 * 7", keys.enter);
    await console.shows(/\n {2}42\n[\s\S]*\nipdb>/);
    console.terminal.type(keys.ctrl("d"));
    await console.shows(/ipdb> +q\n[\s\S]*❯\nPython/);
  });
});
