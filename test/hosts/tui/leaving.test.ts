import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { keys } from "../../terminal/keys.ts";
import { TestConsole } from "./consoles.ts";

const main = environment("main");

describe("leaving a console", () => {
  test("Ctrl-D asks when Python holds variables, and anything but y stays", async () => {
    const console = new TestConsole();
    console.run("import json; a, b = 1, 2");
    console.run("def f(): pass", "");
    console.run("a");
    await console.shows(/❯ a\n {2}1\n/);
    for (const key of ["n", keys.enter, keys.ctrl("c"), keys.escape]) {
      console.terminal.type(keys.ctrl("d"));
      // An import is no loss.
      await console.shows("Python holds 3 variables. Leave? [y/N]");
      console.terminal.type(key);
      await console.shows(/.*❯\nPython/);
    }
    console.terminal.type(keys.ctrl("d"));
    await console.shows("[y/N]");
    console.terminal.type("y");
    await console.left;
  });

  test("a user who continues typing at the question stays, and no key is lost", async () => {
    const console = new TestConsole();
    console.run("a = 1; a");
    await console.shows(/\n {2}1\n/);
    console.terminal.type(keys.ctrl("d"));
    await console.shows("[y/N]");
    console.run("a + 41");
    await console.shows(/❯ a \+ 41\n {2}42\n/);
    console.terminal.type(keys.ctrl("d"));
    await console.shows("[y/N]");
    console.terminal.paste("years = 7");
    await console.shows(/❯ years = 7\n/);
  });

  test("a second Ctrl-D leaves, even before the first was answered", async () => {
    const console = new TestConsole();
    console.run("a = 1; a");
    await console.shows(/\n {2}1\n/);
    console.terminal.type(keys.ctrl("d"), keys.ctrl("d"));
    await console.left;
  });

  test.each(["exit", "exit()", "quit", "quit()", "exit(0)"])("%j leaves as Ctrl-D does", async (typed) => {
    const console = new TestConsole();
    console.run("a = 1; a");
    await console.shows(/\n {2}1\n[\s\S]*❯\n/);
    console.run(typed);
    await console.shows("Python holds 1 variable. Leave? [y/N]");
    console.terminal.type("n");
    await console.shows(/.*❯\nPython/);
    console.run(typed);
    await console.shows("[y/N]");
    console.terminal.type("y");
    await console.left;
  });

  test("exit without variables leaves at once", async () => {
    const console = new TestConsole();
    await console.shows(/❯\nPython 3/);
    console.run("exit");
    await console.left;
    expect(console.terminal.written).not.toContain("[y/N]");
  });

  test("a variable with the name exit is shown, and code that contains exit is code", async () => {
    const console = new TestConsole();
    console.run("exit = 41; exit + 1");
    await console.shows(/\n {2}42\n/);
    console.run("exit");
    await console.shows(/❯ exit\n {2}41\n/);
  });

  test("sys.exit(3) stays, and shows its status without a traceback", async () => {
    const console = new TestConsole();
    console.run("import sys; sys.exit(3)");
    await console.shows(/sys\.exit\(3\)\n {2}SystemExit: 3\n/);
    console.run("6 * 7");
    await console.shows(/\n {2}42\n/);
    expect(console.terminal.written).not.toContain("Traceback");
  });

  test("the second Ctrl-C asks as well", async () => {
    const console = new TestConsole();
    console.run("a = 1; a");
    await console.shows(/\n {2}1\n/);
    console.terminal.type(keys.ctrl("c"), keys.ctrl("c"));
    await console.shows("Python holds 1 variable. Leave? [y/N]");
    console.terminal.type("y");
    await console.left;
  });

  test("asks nothing where nothing would be lost, or console.confirmExit is off", async () => {
    const fresh = new TestConsole();
    await fresh.shows(/❯\nPython 3/);
    fresh.terminal.type(keys.ctrl("d"));
    await fresh.left;
    const without = new TestConsole({ env: { GRANARY_CONSOLE_CONFIRM_EXIT: "off" } });
    without.run("a = 1; a");
    await without.shows(/\n {2}1\n/);
    without.terminal.type(keys.ctrl("d"));
    await without.left;
    expect(without.terminal.written).not.toContain("[y/N]");
  });

  test.skipIf("missing" in main)("for a Jupyter kernel, the question has no number", async () => {
    const { python } = main as { python: string };
    const console = new TestConsole({ python, env: { GRANARY_PYTHON_BACKEND: "zmq" } });
    console.run("a = 1; a");
    await console.shows(/\n {2}1\n/);
    console.run("/variables");
    await console.shows("This kernel cannot list its variables.");
    console.terminal.type(keys.ctrl("d"));
    await console.shows("Python may hold variables. Leave? [y/N]");
    console.terminal.type("y");
    await console.left;
  });
});
