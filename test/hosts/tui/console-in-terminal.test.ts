import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { isRunning } from "../../kernel/processes.ts";
import { until } from "../../kernel/until.ts";
import { keys } from "../../terminal/keys.ts";
import { FreshTerminal, granaryCommand } from "./fresh-terminal.ts";

const main = environment("main");

describe("granary in a real terminal", () => {
  test("keeps text typed before the prompt appears, reports when Python is killed with signal 9, and continues with another", async () => {
    const terminal = new FreshTerminal(granaryCommand);
    terminal.enter("6 * 7");
    await terminal.shows(/❯ 6 \* 7\n {2}42\n/);
    terminal.enter("import os; os.kill(os.getpid(), 9)");
    await terminal.shows(/SIGKILL/);
    terminal.enter("'alive again'");
    await terminal.shows(/\n {2}'alive again'\n/);
    await terminal.shows("kernel 2");
  });

  test("a Python that does not exist ends it as it ends a run, before it opens", async () => {
    const terminal = new FreshTerminal([...granaryCommand, "console", "--python", "/nosuch/python"]);
    expect(await terminal.exited).toBe(3);
    expect(terminal.screen).toMatch(/^granary: \/nosuch\/python does not exist\./);
  });

  test("a session: values, a traceback, a question, and leaving with Ctrl-D", async () => {
    const terminal = new FreshTerminal(granaryCommand);
    await terminal.shows("❯");
    terminal.enter("x = 6");
    terminal.enter("x * 7");
    await terminal.shows(/❯ x \* 7\n {2}42\n/);
    terminal.enter("1/0");
    await terminal.shows(/\n {2}ZeroDivisionError: division by zero\n/);
    terminal.enter("import getpass; (input('Name: '), len(getpass.getpass('Word: ')))");
    await terminal.shows(/^Name:/m);
    terminal.enter("Zoë");
    await terminal.shows(/^Word:/m);
    terminal.enter("secret");
    await terminal.shows(/\('Zoë', 6\)\n(.*took.*\n)?\n.*❯\nPython/);
    expect(terminal.written).not.toContain("secret");
    terminal.type(keys.ctrl("d"));
    await terminal.shows("Python holds 1 variable. Leave? [y/N]");
    terminal.type("y");
    expect(await terminal.exited).toBe(0);
    // Nothing of the prompt is left behind.
    expect(terminal.screen).toMatch(/\('Zoë', 6\)(\n {2}took .*)?$/);
  });

  test.skipIf("missing" in main)("tqdm moves in its place; a plot appears inline, and its file exists", async () => {
    const { python } = main as { python: string };
    const terminal = new FreshTerminal(granaryCommand, { python, rows: 40 });
    await terminal.shows("❯");
    terminal.enter("for _ in __import__('tqdm').tqdm(range(300), desc='work'): pass");
    await terminal.shows(/\n {2}work: 100%\|█+\| 300\/300/);
    expect(terminal.scrollback.match(/work:/g)).toHaveLength(1);
    terminal.enter("import matplotlib.pyplot as plt");
    terminal.enter("print('before'); plt.figure(figsize=(6, 2)); plt.plot([1, 4, 9]); plt.show(); print('after')");
    await terminal.shows(/\n {2}before\n▀{10,}\n(▀+\n)+\[image\/png \d+x\d+ → .*\.png\]\n {2}after\n/);
    const pictures = readdirSync(join(terminal.folder, "home", "pictures"));
    expect(pictures).toEqual([expect.stringMatching(/\.png$/)]);
  });

  test("Ctrl-C interrupts, and so does --timeout", async () => {
    const terminal = new FreshTerminal([...granaryCommand, "console", "--timeout", "1"]);
    await terminal.shows("❯");
    terminal.enter("import time; kept = 1; print('working'); time.sleep(600)");
    await terminal.shows(/\n {2}working\n/);
    terminal.type(keys.ctrl("c"));
    await terminal.shows(/KeyboardInterrupt\n {2}(cancelled|timed out)/);
    terminal.enter("time.sleep(600)");
    await terminal.shows(/❯ time\.sleep\(600\)\n[^❯]*timed out/);
    terminal.enter("kept");
    await terminal.shows(/❯ kept\n {2}1\n/);
  });

  test("the screen is right when the window's size changes in the middle of a cell", async () => {
    const terminal = new FreshTerminal(granaryCommand, { columns: 90, rows: 24 });
    await terminal.shows("❯");
    terminal.enter("for n in range(3): print('row', n, '.' * 60); _ = input('next? ')");
    await terminal.shows(/^next\?/m);
    terminal.resize(40, 16);
    await terminal.shows(/row 0 \.{32}\n {2}\.+\n\nnext\?/);
    terminal.type(keys.enter);
    await terminal.shows(/row 1[\s\S]*next\?/);
    terminal.resize(100, 30);
    await terminal.shows(/^❯ for n in range\(3\).*\n {2}row 0 \.{60}\n {2}next\?\n {2}row 1 \.{60}\n\nnext\?/);
    terminal.type(keys.enter);
    await terminal.shows(/ {2}row 2 \.{60}\n\nnext\?/);
    terminal.type(keys.enter);
    await terminal.shows(/ {2}row 2 \.{60}\n {2}next\?\n\n.*❯\n/);
  });

  test("Ctrl-Z suspends it, and fg resumes with all variables", async () => {
    const terminal = new FreshTerminal(["bash", "--norc", "-i"], { env: { PS1: "shell> " } });
    await terminal.shows("shell>");
    terminal.enter(granaryCommand.join(" "));
    await terminal.shows("❯");
    terminal.enter("x = 42");
    await terminal.shows(/❯ x = 42\n\n.*❯\nPython/);
    terminal.type(keys.ctrl("z"));
    await terminal.shows(/Stopped[\s\S]*shell>/);
    terminal.enter("echo between $((1+1))");
    await terminal.shows(/^between 2$/m);
    terminal.enter("fg");
    await terminal.shows(/between 2[\s\S]*❯ x = 42\n\n.*❯\nPython/);
    terminal.enter("x");
    await terminal.shows(/❯ x\n {2}42\n\n.*❯\nPython/);
    terminal.type(keys.ctrl("d"), keys.ctrl("d"));
    await terminal.shows(/42\n\nshell>/);
  });

  test("a crash restores the terminal, and reports the error", async () => {
    const crash = fileURLToPath(new URL("crash-on-signal.cjs", import.meta.url));
    const terminal = new FreshTerminal(["bash", "--norc", "-i"], { env: { PS1: "shell> " } });
    await terminal.shows("shell>");
    terminal.enter(`NODE_OPTIONS=--require=${crash} ${granaryCommand.join(" ")}`);
    await terminal.shows(/❯\nPython 3/);
    terminal.enter("import os, signal; os.kill(os.getppid(), signal.SIGUSR2)");
    await terminal.shows(/a mistake of ours[\s\S]*shell>/);
    terminal.enter("clear; stty -a | grep -o -w -e '-\\?icanon' -e '-\\?echo' -e '-\\?isig'; echo done");
    await terminal.shows(/isig\nicanon\necho\ndone/);
    expect(terminal.written.lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
      terminal.written.lastIndexOf("\x1b[?2004h\x1b[?u"),
    );
  });

  test("SIGTERM ends it cleanly", async () => {
    const terminal = new FreshTerminal(granaryCommand);
    await terminal.shows(/❯\nPython 3/);
    terminal.enter("import os, signal; os.kill(os.getppid(), signal.SIGTERM)");
    expect(await terminal.exited).toBe(143);
  });

  test("ends with its window, and Python ends with it", async () => {
    const terminal = new FreshTerminal(granaryCommand);
    await terminal.shows(/❯\nPython 3/);
    terminal.enter("import os, time; print('process', os.getpid()); time.sleep(600)");
    await terminal.shows(/process \d+\n/);
    const pid = Number(/process (\d+)\n/.exec(terminal.screen)?.[1]);
    await terminal.close();
    expect(await terminal.exited).toBe(129);
    await until("Python is gone", () => !isRunning(pid));
  });

  test("says what to do instead where it cannot be drawn", async () => {
    const terminal = new FreshTerminal(granaryCommand, { env: { TERM: "dumb" } });
    expect(await terminal.exited).toBe(2);
    expect(terminal.screen).toMatch(
      /^granary: The console needs a terminal that can move its cursor.*\n?.*granary run -c/,
    );
  });
});
