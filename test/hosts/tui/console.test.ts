import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { environment, newestPython } from "../../environment/pythons.ts";
import { until } from "../../kernel/until.ts";
import { judgeEach, pythonWith } from "../../notebook/python-nbformat.ts";
import { whyNotTested } from "../../sandbox/world.ts";
import { keys } from "../../terminal/keys.ts";
import { TestConsole } from "./consoles.ts";

describe("typing", () => {
  test("shows a prompt at once, runs Python, and keeps variables", async () => {
    const console = new TestConsole();
    await console.shows(/^.*❯\n/);
    console.run("x = 6");
    console.run("x * 7");
    await console.shows(/❯ x = 6\n\n❯ x \* 7\n {2}42\n\n.*❯\n/);
  });

  test("the prompt names the environment, and further lines are aligned", async () => {
    const console = new TestConsole();
    const version = /^\d+\.\d+/.exec(newestPython().version)?.[0] ?? "";
    await console.shows(`${version} ❯\nPython`);
    console.terminal.type(..."if True:", keys.enter, ..."1");
    await console.shows(`${version} ❯ if True:\n${" ".repeat(version.length)} ·     1\n`);
  });

  const engine = (["bwrap", "landlock"] as const).find((name) => whyNotTested(name) === null);

  test.skipIf(engine === undefined)(
    "the line below it says which sandbox there is, before the first cell",
    async () => {
      const home = mkdtempSync(join(tmpdir(), "granary-home-"));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      const sandbox = { GRANARY_PYTHON_SANDBOX: "workspace", GRANARY_PYTHON_SANDBOX_ENGINE: engine as string };
      const console = new TestConsole({ home, env: { HOME: home, ...sandbox } });
      await console.shows(/❯\nPython [\d.]+ · sandbox: workspace \((bubblewrap|Landlock)\) +\/help/);
    },
  );

  test.skipIf("missing" in environment("main"))("a long environment name leaves room to type", async () => {
    const { python } = environment("main") as { python: string };
    const console = new TestConsole({ python, columns: 40 });
    await console.shows(/^main-\w{4}… ❯\nPython/);
  });

  test("Enter begins the next line, indented, until the code is complete", async () => {
    const console = new TestConsole();
    const { terminal } = console;
    terminal.type(..."for i in range(2):", keys.enter, ..."print('n', i)", keys.enter);
    await console.shows("❯ for i in range(2):\n·     print('n', i)\n·");
    terminal.type(keys.enter);
    await console.shows(/print\('n', i\)\n {2}n 0\n {2}n 1\n/);
  });

  test("a try on one line waits for its except", async () => {
    const console = new TestConsole();
    console.terminal.type(..."try: 1/0", keys.enter, ..."except ZeroDivisionError: print('caught')", keys.enter);
    await console.shows(/❯ try: 1\/0\n\s*· except ZeroDivisionError.*\n\s*·\n/);
    console.terminal.type(keys.enter);
    await console.shows(/print\('caught'\)\n {2}caught\n/);
  });

  test("a paste of several lines is edited before it runs", async () => {
    const console = new TestConsole();
    console.terminal.paste("a = 1\nb = 2");
    await console.shows("❯ a = 1\n· b = 2");
    console.terminal.type(..." + a", keys.enter);
    console.run("b");
    await console.shows(/❯ b\n {2}3\n/);
  });

  test("cells typed while another runs wait for it", async () => {
    const console = new TestConsole();
    console.run("name = input('go? ')");
    await console.shows(/^go\?/m);
    const second = console.granary?.session().run("print('second', name)");
    console.terminal.type(..."on", keys.enter);
    expect((await second?.result)?.output).toBe("second on\n");
  });

  test("Tab completes what Python knows, and offers a choice", async () => {
    const console = new TestConsole();
    console.run("import json; alphabet = 1; alphanumeric = 2");
    await console.shows(/❯ import.*\n\n.*❯\n/);
    console.terminal.type(..."alp", keys.tab);
    await console.shows(/❯ alpha\n❯ alphabet +instance\n {2}alphanumeric +instance\n/);
    console.terminal.type(keys.tab, keys.enter);
    await console.shows(/❯ alphanumeric\nPython/);
    console.terminal.type(keys.enter);
    await console.shows(/❯ alphanumeric\n {2}2\n/);
  });

  test("an opening bracket shows the signature, until it is closed", async () => {
    const console = new TestConsole();
    console.run("def area(width, height=2):", "    'Of a rectangle.'", "    return width * height");
    console.run("1");
    await console.shows(/❯ 1\n {2}1\n/);
    console.terminal.type(..."area(");
    await console.shows(/❯ area\(\n {2}area\(width, height=2\)\n {2}Of a rectangle\.\n/);
    console.terminal.type(..."3)");
    await console.shows(/❯ area\(3\)\nPython/);
  });

  test("history persists for the next console, and can be searched", async () => {
    const first = new TestConsole();
    const home = join(first.folder, "home");
    first.run("colour = 'blue'");
    first.run("print('size', 3)");
    // Leaving would ask about a running cell.
    await first.shows(/\n {2}size 3\n\n.*❯\nPython/);
    first.terminal.type(keys.ctrl("d"), keys.ctrl("d"));
    await first.left;

    const second = new TestConsole({ home });
    second.terminal.type(keys.up);
    await second.shows("❯ print('size', 3)");
    second.terminal.type(keys.up);
    await second.shows("❯ colour = 'blue'");
    second.terminal.type(keys.down, keys.down);
    await second.shows(/^.*❯\n/);
    second.terminal.type(keys.ctrl("r"));
    await second.shows("history:");
    second.terminal.type(..."BLU");
    await second.shows(/history: BLU\n❯ colour = 'blue'\n/);
    second.terminal.type(keys.enter);
    await second.shows(/^(?:3\.\d+ )?❯ colour = 'blue'\n/);
  });
});

describe("running", () => {
  test("Ctrl-C interrupts the running cell, and variables stay", async () => {
    const console = new TestConsole();
    console.run("import time; kept = 1; print('working'); time.sleep(600)");
    await console.shows(/\n {2}working\n/);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/KeyboardInterrupt\n {2}cancelled/);
    console.run("kept");
    await console.shows(/❯ kept\n {2}1\n/);
  });

  test("leaving while something runs asks for confirmation", async () => {
    const console = new TestConsole();
    console.run("import time; print('at it'); time.sleep(600)");
    await console.shows(/\n {2}at it\n/);
    console.terminal.type(keys.ctrl("d"));
    await console.shows("Something is still running. Leave the console and end it? [y/N]");
    console.terminal.type("n");
    await console.shows("ctrl+c interrupts");
    console.terminal.type(keys.ctrl("d"));
    await console.shows("[y/N]");
    console.terminal.type("y");
    await console.left;
  });

  test("Ctrl-C twice leaves an idle console; the second of a pair that stopped a cell asks first", async () => {
    const console = new TestConsole();
    console.run("import time; print('at it'); time.sleep(600)");
    await console.shows(/\n {2}at it\n/);
    console.terminal.type(keys.ctrl("c"), keys.ctrl("c"));
    // The question is about the current state: by now the cell has stopped.
    await console.shows(/cancelled[\s\S]*Python may hold variables. Leave\? \[y\/N\]/);
    console.terminal.type("n");
    await console.shows(/cancelled.*\n\n.*❯/);
    console.terminal.type(..."half typed", keys.ctrl("c"));
    await console.shows(/cancelled.*\n\n.*❯\n/);
    // Only a module is there, which is no loss.
    console.terminal.type(keys.ctrl("d"));
    await console.left;
  });

  test("the first Ctrl-C at an empty prompt says how to leave, and the second leaves", async () => {
    const console = new TestConsole();
    await console.shows(/^Python /m);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/ctrl\+c again, or ctrl\+d, leaves the console$/m);
    console.terminal.type(keys.ctrl("c"));
    await console.left;
  });

  test("input() and getpass() are answered at the prompt", async () => {
    const console = new TestConsole();
    console.run("import getpass; name = input('Name: '); word = getpass.getpass('Word: '); (name, len(word))");
    await console.shows(/^Name:/m);
    console.terminal.type(..."Zoë", keys.enter);
    await console.shows(/\n {2}Name: Zoë\n\nWord:/);
    console.terminal.type(..."secret", keys.enter);
    await console.shows("('Zoë', 6)");
    expect(console.terminal.written).not.toContain("secret");
  });

  test("a progress bar moves in its place, and only its last state stays", async () => {
    const console = new TestConsole();
    console.run("for i in range(101): print(f'\\r{i:3d}% |' + '#' * (i // 10), end='', flush=True)", "");
    await console.shows(/\n {2}100% \|##########\n/);
    expect(console.terminal.screen).not.toContain("99%");
  });

  test("shows the end of a flood live, names the artifact with all of it, and still takes input", async () => {
    const console = new TestConsole({ rows: 15 });
    console.run("for i in range(200_000): print(f'line {i} ' + 'x' * 90)", "");
    console.terminal.type(..."'typed meanwhile'");
    await console.shows(/line \d+ x/);
    await console.shows("❯ 'typed meanwhile'");
    await console.shows(/line 199999 x/);
    await console.shows(/left out of 200,000 lines.*artifact:\/\//);
    // Only changed lines were painted: the screen was never cleared.
    expect(console.terminal.written).not.toMatch(clearing);
    console.terminal.type(keys.enter);
    await console.shows(/❯ 'typed meanwhile'\n {2}'typed meanwhile'/);
  });

  test("Ctrl-O expands and collapses output", async () => {
    const console = new TestConsole({ rows: 50 });
    console.run("for i in range(30): print('row', i)", "");
    await console.shows(/\n {2}row 0\n[\s\S]*row 7\n {2}… 10 lines \(ctrl\+o shows all\)\n {2}row 18\n/);
    console.terminal.type(keys.ctrl("o"));
    await console.shows(/\n {2}row 8\n {2}row 9\n/);
    console.terminal.type(keys.ctrl("o"));
    await console.shows(/\n {2}row 0\n[\s\S]*row 7\n {2}… 10 lines \(ctrl\+o shows all\)\n {2}row 18\n/);
  });

  test("Ctrl-L clears the screen, and earlier lines can be scrolled back to", async () => {
    const console = new TestConsole({ rows: 20 });
    console.run("print('first'); 'second'");
    await console.shows(/ {2}'second'\n\n.*❯\nPython/);
    console.terminal.type(keys.ctrl("l"));
    await console.shows(/^.*❯\nPython.*$/);
    expect(console.terminal.scrollback).toMatch(/^❯ print.*\n {2}first\n {2}'second'\n\n.*❯\nPython.*$/);
    console.run("'third'");
    await console.shows(/^❯ 'third'\n {2}'third'\n\n.*❯\nPython.*$/);
    console.terminal.resize(70, 20);
    await console.shows(/^❯ 'third'\n {2}'third'\n\n.*❯\nPython.*$/);
  });

  test("Ctrl-L keeps the output of a cell and a command that still run", async () => {
    const console = new TestConsole();
    console.run("'over'");
    await console.shows(/\n {2}'over'\n/);
    console.run("name = input('go on? '); print('hello', name); 1/0");
    await console.shows(/^go on\?/m);
    console.terminal.type(keys.ctrl("l"));
    await console.shows(/^❯ name = [^\n]*\n[\s\S]*^go on\?/m);
    expect(console.terminal.screen).not.toContain("'over'");
    console.terminal.type(..."Ada", keys.enter);
    await console.shows(/ {2}hello Ada\n[\s\S]*ZeroDivisionError: division by zero/);

    console.run("!echo begun; sleep 0.5; echo ended");
    await console.shows(/\n {2}begun\n/);
    console.terminal.type(keys.ctrl("l"));
    await console.shows(/^❯ !echo[^\n]*\n {2}begun\n {2}ended\n/);
  });

  test("output of a thread after Ctrl-L is shown, even when it had printed before", async () => {
    const console = new TestConsole();
    console.run(
      "import threading",
      "go = threading.Event()",
      "say = lambda: (print('early'), go.wait(), print('late'))",
      "threading.Timer(0.2, say).start()",
    );
    await console.shows(/printed between cells:\n {2}early\n/);
    console.terminal.type(keys.ctrl("l"));
    await console.shows(/^.*❯\nPython.*$/);
    // Not typed: that would make a new block.
    void console.granary?.session().run("threading.Timer(0.2, go.set).start()");
    await console.shows(/printed between cells:\n {2}late\n/);
  });

  test("a cell that takes longer than --timeout is interrupted", async () => {
    const console = new TestConsole({ timeoutMs: 300 });
    console.run("import time; time.sleep(600)");
    await console.shows(/timed out/);
  });

  test("reports when Python is killed, and the next cell has a fresh one", async () => {
    const console = new TestConsole();
    console.run("x = 1; import os; os.getpid()");
    await console.shows(/\n {2}\d+\n/);
    process.kill(console.granary?.session().shared.info?.pid as number, "SIGKILL");
    await console.shows("Python has ended; the next cell starts it again");
    console.run("'x' in globals()");
    await console.shows(/False/);
    await console.shows(/Earlier variables are gone/);
    await console.shows(/kernel 2/);
  });

  test("output of a thread between cells is shown", async () => {
    const console = new TestConsole();
    console.run(
      "import threading, sys",
      "go = threading.Event()",
      "threading.Thread(target=lambda: (go.wait(), print('from the thread')), daemon=True).start()",
    );
    console.run("threading.Timer(0.1, go.set).start()");
    await console.shows(/from the thread/);
  });

  test("%%bash and ! run shell commands, and report how they ended", async () => {
    const console = new TestConsole();
    console.run("%%bash", "echo from $((40+2))", "");
    await console.shows(/\n {2}from 42\n/);
    console.run("!echo beside; exit 3");
    await console.shows(/\n {2}beside\n {2}exit code 3\n/);
    console.run("!echo waits; sleep 600");
    await console.shows(/\n {2}waits\n/);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/waits\n {2}cancelled/);
  });

  test("a ! command that is not found says why aliases are missing, and the rc files run once", async () => {
    const console = new TestConsole({ columns: 120, env: { GRANARY_PYTHON_SKIP_CHECK: "0", SHELL: "bash" } });
    writeFileSync(join(console.folder, ".bashrc"), "echo x >> ~/asked; exit 3\n");
    for (const name of ["hey", "hello"]) {
      console.run(`!${name}`);
      await console.shows(
        new RegExp(`${name}: command not found[^]*Aliases and functions of the user's shell are missing`),
      );
    }
    await console.shows("ended with exit code 3 while it read its rc files");
    const asked = readFileSync(join(console.folder, "asked"), "utf8");
    console.run("!hola");
    await console.shows(/hola: command not found/);
    expect(readFileSync(join(console.folder, "asked"), "utf8")).toBe(asked);
  });
});

describe("pictures", () => {
  const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg==";
  const figure = `display({"image/png": "${pixels}", "text/plain": "<Figure>"}, raw=True)`;

  test("a picture is where it was displayed, during the cell and after it", async () => {
    const console = new TestConsole({ rows: 40, columns: 200 });
    const inOrder = /\n {2}<Figure>\n▀+\n\[image\/png 2x1 → .*plot\.png\]\n {2}middle\n {2}<Figure>\n/;
    console.run(`print("<Figure>"); ${figure}; print("middle"); print("<Figure>"); input("Go on? ")`);
    await console.shows(inOrder);
    console.run("yes");
    await console.shows(/ {2}<Figure>\n {2}Go on\? yes\n {2}'yes'\n/);
    expect(console.terminal.screen).toMatch(inOrder);
  });

  const main = environment("main");
  test.skipIf("missing" in main)("a plot is drawn with half blocks, and its file is named", async () => {
    const { python } = main as { python: string };
    const console = new TestConsole({ python, rows: 40, env: { COLORTERM: "truecolor" } });
    console.run("import matplotlib.pyplot as plt; plt.plot([1, 4, 9]);");
    await console.shows(/\[image\/png \d+x\d+ → .*plot\.png\]/);
    await console.shows("▀▀▀▀▀▀▀▀▀▀");
  });
});

describe("commands", () => {
  test("/help lists them, and an unknown one names the nearest", async () => {
    const console = new TestConsole({ rows: 40, columns: 100 });
    console.run("/help");
    await console.shows("/save file.ipynb");
    console.run("/varables");
    await console.shows("There is no /varables. Did you mean /variables?");
  });

  test("/help has every key that docs/console.md lists for typing", async () => {
    const console = new TestConsole({ rows: 60, columns: 120 });
    console.run("/help");
    await console.shows(/^Keys:$/m);
    const [, typing = ""] = readFileSync("docs/console.md", "utf8").split(/^## /m);
    const listed = [...typing.matchAll(/^\| ([A-Z].*?) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
    const named = listed.filter((name) => /^[A-Z]/.test(name)).map((name) => name.toLowerCase().replace("-", "+"));
    expect(named).toContain("ctrl+l");
    for (const name of named) expect(console.terminal.screen).toContain(name);
  });

  test("/help breaks only between words, however narrow the window is", async () => {
    const console = new TestConsole({ rows: 240, columns: 300 });
    console.run("/help");
    await console.shows(/Type Python[\s\S]*an edit\n\n.*❯\n/);
    const words = () =>
      console.terminal.screen
        .split(/\n.*❯\n/)[0]
        ?.split(/\s+/)
        .join(" ");
    const whole = words();
    for (const columns of [90, 40, 20]) {
      console.terminal.resize(columns, 240);
      await until(`every word is whole in ${columns} columns`, () => words() === whole);
    }
  });

  test("/variables, /kernels and /reset", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("numbers = [1, 2, 3]; 'set'");
    await console.shows(/\n {2}'set'\n/);
    console.run("/variables");
    await console.shows(/numbers +list 3 +\[1, 2, 3\]/);
    console.run("/kernels");
    await console.shows(/main: ready; python 3\.\d+/);
    console.run("/reset");
    await console.shows("Python restarts; all variables are lost.");
    console.run("'numbers' in globals()");
    await console.shows("False");
  });

  test("/save during a shell command saves it as well, and counts what it saved", async () => {
    const console = new TestConsole({ rows: 40, columns: 140 });
    console.run("!echo begun; until [ -e go ]; do sleep 0.05; done; echo over");
    await console.shows(/\n {2}begun\n/);
    console.run("/save session.ipynb");
    await console.shows("Saved 1 cell to");
    const path = join(console.folder, "session.ipynb");
    const sources = () =>
      JSON.parse(readFileSync(path, "utf8")).cells.map(({ source }: { source: string[] }) => source.join(""));
    expect(sources()).toEqual(["!echo begun; until [ -e go ]; do sleep 0.05; done; echo over"]);
    writeFileSync(join(console.folder, "go"), "");
    await console.shows(/\n {2}over\n/);
  });

  test("/save writes a valid notebook with outputs, repeatedly, and over another program's file only with --overwrite", async () => {
    const console = new TestConsole({ rows: 40, columns: 140 });
    console.run("print('hi'); 6 * 7");
    console.run("1/0");
    await console.shows("ZeroDivisionError: division by zero");
    console.run("!echo shell");
    await console.shows(/\n {2}shell\n/);
    console.run("/save session.ipynb");
    await console.shows("Saved 3 cells to");
    const path = join(console.folder, "session.ipynb");
    const text = readFileSync(path, "utf8");
    const jupyter = pythonWith("nbformat");
    if (jupyter !== null) {
      const judge = "nbformat.validate(nbformat.reads(text, nbformat.NO_CONVERT)) is None";
      expect(judgeEach(jupyter, "import nbformat", judge, [text])).toEqual([true]);
    }
    const { cells, metadata } = JSON.parse(text);
    expect(metadata.language_info.name).toBe("python");
    expect(cells.map(({ source }: { source: string[] }) => source.join(""))).toEqual([
      "print('hi'); 6 * 7",
      "1/0",
      "!echo shell",
    ]);
    expect(cells[0].outputs).toEqual([
      { output_type: "stream", name: "stdout", text: ["hi\n"] },
      { output_type: "execute_result", execution_count: 1, data: { "text/plain": ["42"] }, metadata: {} },
    ]);
    expect(cells[1].outputs[0]).toMatchObject({ output_type: "error", ename: "ZeroDivisionError" });
    console.run("/save session.ipynb");
    await until("it was saved twice", () => console.terminal.screen.split("Saved 3 cells").length === 3);
    writeFileSync(path, "somebody else's");
    console.run("/save session.ipynb");
    await console.shows(/: \/save\s+--overwrite\s+session\.ipynb/);
    expect(readFileSync(path, "utf8")).toBe("somebody else's");
    console.run("/save --overwrite session.ipynb");
    await until("it was saved three times", () => console.terminal.screen.split("Saved 3 cells").length === 4);
    expect(JSON.parse(readFileSync(path, "utf8")).cells).toHaveLength(3);
    console.run("/save --overwrite");
    await console.shows("Which file? For example: /save analysis.ipynb");
  });

  test("work continues in the background, is listed with the end of its output, and can be shown again", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("import time; print('step 1'); time.sleep(600)");
    await console.shows(/\n {2}step 1\n/);
    console.run("/background");
    await console.shows(/continues in the background: \/attach run-\d+/);
    await console.shows("1 in the background");
    console.run("/executions");
    await console.shows(/▶ run-\d+ running in main {2}import time.*\n {4}step 1\n/);
    const id = /\/attach (run-\d+)/.exec(console.terminal.screen)?.[1] as string;
    console.run(`/attach ${id}`);
    await console.shows(/❯ import time; print\('step 1'\); time.sleep\(600\)\n {2}step 1\n/);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/cancelled/);
    console.run("/attach run-99");
    await console.shows("There is no execution run-99. /executions lists them.");
  });

  test("/attach shows how long a cell has been running, not how long it has been attached", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("/background import time; print('begun'); time.sleep(600)");
    await console.shows(/run-\d+ runs in the background/);
    const id = /(run-\d+) runs/.exec(console.terminal.screen)?.[1] as string;
    const execution = console.granary?.execution(id);
    await until("it has been running for a while", () => Date.now() - (execution?.startedAt ?? Date.now()) > 2100);
    console.run(`/attach ${id}`);
    await console.shows(/▶ running/);
    expect(console.terminal.screen).toMatch(/▶ running [2-9]/);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/cancelled/);
  });

  test("/look shows where the running cell is, and the cell continues", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("/look");
    await console.shows("Nothing is running. /executions lists ended cells.");
    console.run("import time; print('begun'); time.sleep(600)");
    await console.shows(/\n {2}begun\n/);
    console.run("/look");
    await console.shows(/run-\d+ is running, \d+ s so far \(session main\): import time/);
    await console.shows(/<cell 1>:1: import time; print\('begun'\); time\.sleep\(600\)\nCPU \d+ %, memory /);
    console.run("/look run-99");
    await console.shows("There is no execution run-99. /executions lists them.");
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/cancelled/);
  });

  test("/background with code runs it in a Python of its own", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("x = 'here'");
    console.run("/background print('x' in globals())");
    await console.shows(/run-\d+ runs in the background/);
    const id = /(run-\d+) runs/.exec(console.terminal.screen)?.[1] as string;
    await console.granary?.execution(id)?.result;
    await console.shows(`${id} is over: ok. /attach ${id} shows it.`);
    console.run(`/attach ${id}`);
    await console.shows(/\n {2}False\n/);
  });

  test("work in the background is counted, and ended only after confirmation", async () => {
    const console = new TestConsole({ rows: 40 });
    console.run("/background import time; time.sleep(600)");
    await console.shows("1 in the background");
    const id = /(run-\d+) runs/.exec(console.terminal.screen)?.[1] as string;
    console.terminal.type(keys.ctrl("d"));
    await console.shows("Something is still running. Leave the console and end it? [y/N]");
    console.terminal.type("n");
    console.run(`/attach ${id}`);
    await console.shows(/▶ running [^·\n]*ctrl\+c interrupts/);
    console.terminal.type(keys.ctrl("c"));
    await console.shows(/cancelled.*\n\n.*❯\nPython [^·]*$/);
  });
});

describe("notebooks", () => {
  test("a cell that runs while a notebook is open is shown to its end afterwards", async () => {
    const console = new TestConsole();
    const path = join(console.folder, "note.ipynb");
    writeFileSync(path, JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    console.run("import time; print('begun'); time.sleep(1); print('ended')");
    await console.shows(/\n {2}begun\n/);
    console.run("/open note.ipynb");
    await until("the notebook has the screen", () => console.terminal.isOwnScreen);
    console.terminal.type("q");
    await until("the console is back", () => !console.terminal.isOwnScreen);
    await console.shows(/\n {2}begun\n {2}ended\n/);
  });

  test("/open shows one with the variables of the console, and q returns", async () => {
    const console = new TestConsole();
    console.run("shared = 'from the console'; print('ready')");
    await console.shows(/\n {2}ready\n/);
    const cell = { cell_type: "code", id: "a", metadata: {}, source: ["shared"], execution_count: null, outputs: [] };
    const path = join(console.folder, "note.ipynb");
    writeFileSync(path, JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    console.run("/open note.ipynb");
    await until("the notebook has the screen", () => console.terminal.isOwnScreen);
    await console.shows("shared");
    console.terminal.type("\x1b[13;5u");
    await console.shows("'from the console'");
    console.terminal.type("q");
    await until("the console is back", () => !console.terminal.isOwnScreen);
    console.run("'and goes on'");
    await console.shows(/ready\n[\s\S]*❯ 'and goes on'\n {2}'and goes on'\n/);
    console.run("/open missing.ipynb");
    await console.shows(/missing\.ipynb/);
    console.run("/open notes.txt");
    await console.shows("A notebook's name ends with .ipynb");
  });
});

describe("the screen", () => {
  test("is right after a resize in the middle of a cell", async () => {
    const console = new TestConsole({ columns: 80, rows: 20 });
    console.run("print('before'); name = input('go on? '); print('after', name)");
    await console.shows(/^go on\?/m);
    console.terminal.resize(40, 12);
    await console.shows(/^go on\?/m);
    console.terminal.type(..."yes", keys.enter);
    await console.shows(/ {2}before\n {2}go on\? yes\n {2}after yes\n\n.*❯\n/);
    console.terminal.resize(120, 30);
    await console.shows(/^❯ print.*\n {2}before\n {2}go on\? yes\n {2}after yes\n\n.*❯\nPython/);
  });

  test.each([
    [20, 5],
    [300, 8],
  ])("works in a window of %i columns and %i rows", async (columns, rows) => {
    const console = new TestConsole({ columns, rows });
    console.run("for i in range(30): print('a long line that does not fit', i)", "");
    await console.shows(/29\n\n.*❯/);
    console.terminal.type(..."'日本語' * 20");
    await console.shows("'日本語'");
    console.terminal.type(keys.enter);
    await console.shows("語日");
    await console.shows(/\n.*❯\nPython/);
  });

  test("uses colours for a light background when the terminal reports one", async () => {
    const console = new TestConsole();
    console.run("'text'");
    await console.shows(/ {2}'text'\n\n.*❯\nPython/);
    const row = console.terminal.screen.split("\n").indexOf("❯ 'text'");
    const before = console.terminal.cell(row, 2).getFgColor();
    console.terminal.type("\x1b]11;rgb:ffff/ffff/ffff\x07");
    await until("the colours are others", () => console.terminal.cell(row, 2).getFgColor() !== before);
    await console.shows(/^❯ 'text'\n {2}'text'\n\n.*❯\nPython/);
  });

  test("ends when its window is closed", async () => {
    const console = new TestConsole();
    console.run("import time; print('at it'); time.sleep(600)");
    await console.shows(/\n {2}at it\n/);
    console.terminal.vanish();
    await console.left;
  });

  test("uses no timer and paints nothing while idle", async () => {
    const console = new TestConsole();
    console.run("6 * 7");
    await console.shows(/ {2}42\n\n.*❯\nPython/);
    await until("nothing is left to do", () => activeTimers() === 0);
    console.terminal.written = "";
    await new Promise((resolve) => setImmediate(resolve));
    expect(console.terminal.written).toBe("");
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const clearing = /\x1b\[[23]?J|\x1b\[H/;

/** The timers of this process, besides the one that waits here. */
function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "Immediate").length;
}
