import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../../environment/variants.ts";
import { TestHub } from "../test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

beforeAll(async () => {
  writeFileSync(
    join(hub.folder, "program.py"),
    "import sys\nprint(sys.argv, __name__, __file__)\nsys.exit(len(sys.argv))",
  );
  mkdirSync(join(hub.folder, "package"));
  writeFileSync(join(hub.folder, "package/__main__.py"), "print('module', __name__)");
  await hub.run("warm", "1");
});

const code = (...cells: readonly string[]): readonly string[] => cells.flatMap((each) => ["-c", each]);

/** Those that the client of a process shows in `npm test`: each of its streams, ends and arguments; `quick-client.test.ts` has more of it. */
const ofTheClient = new Set([
  "a value",
  "stdout and stderr",
  "bytes that are no UTF-8",
  "5 MB of text",
  "an exception in the second of three cells",
  "sys.exit with a sentence",
  "a timeout",
  "a crash",
  "a signal",
  "a program with arguments and an exit code",
  "code from standard input",
]);

const runs: readonly (readonly [what: string, args: readonly string[], stdin?: string])[] = [
  ["a value", code("6 * 7")],
  ["two cells with a variable", code("x = 6", "x * 7")],
  ["stdout and stderr", code("import sys\nfor n in range(9): print(n, file=[sys.stdout, sys.stderr][n % 2])")],
  ["text without a newline, then a value", code("print('no newline', end='')", "1")],
  [
    "characters of every kind",
    code("print('é 👩‍🚀 漢字 \\x1b[31mred\\x1b[0m \\0 \\ud800'.encode('utf-8', 'replace').decode())"),
  ],
  ["bytes that are no UTF-8", code("import sys; sys.stdout.buffer.write(b'\\xff\\xfe|'); sys.stdout.flush()")],
  ["a carriage return", code("for n in range(5): print(n, end='\\r')\nprint()")],
  ["5 MB of text", code("for n in range(50): print(chr(97 + n % 26) * 99_999)")],
  ["an exception in the second of three cells", code("print('one')", "1 / 0", "print('never')")],
  ["a nested exception", code("def f():\n  try: 1 / 0\n  except Exception as e: raise KeyError('ключ') from e\nf()")],
  ["a syntax error", code("def f(:")],
  ["sys.exit with a number", code("import sys; sys.exit(7)")],
  ["sys.exit with a sentence", code("import sys; sys.exit('that is all')")],
  ["a KeyboardInterrupt of its own", code("raise KeyboardInterrupt")],
  ["a timeout", ["--timeout", "0.3", ...code("print('on', flush=True); import time; time.sleep(60)")]],
  ["a crash", code("print('on', flush=True); import os; os._exit(5)")],
  ["a signal", code("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")],
  ["input() without a person", code("input('name? ')")],
  ["a warning", code("import warnings; warnings.warn('careful')")],
  [
    "html, a table and a picture in text",
    code("display({'text/html': '<b>bold</b>', 'text/plain': 'plain'}, raw=True)"),
  ],
  ["a child process", code("import subprocess; subprocess.run(['echo', 'from a child'])")],
  ["a magic and a command", code("%pwd", "!echo shell")],
  ["top-level await", code("import asyncio; await asyncio.sleep(0); 'awaited'")],
  ["a program with arguments and an exit code", ["program.py", "--flag", "привет"]],
  ["a module", ["-m", "package"]],
  ["a program that is not there", ["missing.py"]],
  ["code from standard input", ["-"], "print('typed')\n6 * 7"],
];

describe("granary run through the hub is as without it", () => {
  test.each(runs.map(([what, args, stdin = ""]) => ({ what, args, stdin })))("$what", async ({ what, args, stdin }) => {
    const direct = await hub.granary(["run", ...args], { stdin });
    const inHub = ["run", "--session", "same", "--reset", ...args];
    const through = await hub.granary(inHub, { stdin });
    expect(comparable(through)).toEqual(comparable(direct));
    if (!isLong && !ofTheClient.has(what)) return;
    // A process without a terminal has a client of its own, with little code.
    const client = await hub.start(inHub, { stdin }).finished;
    expect(comparable(client)).toEqual(comparable(direct));
  });

  test("a JSON document has the same fields and values", async () => {
    const cells = code(
      "print('one'); 6 * 7",
      "display({'text/html': '<i>x</i>', 'text/plain': 'x'}, raw=True)",
      "1 / 0",
    );
    const direct = await hub.granary(["run", "--json", ...cells]);
    const through = await hub.granary(["run", "--session", "json", "--json", ...cells]);
    expect(documentOf(through.stdout)).toEqual(documentOf(direct.stdout));
    expect(through.exitCode).toBe(direct.exitCode);
  });
});

/** Without what has to differ: process numbers, and sentences about the session that stays. */
function comparable({ stdout, stderr, exitCode }: Awaited<ReturnType<TestHub["granary"]>>) {
  const ofTheSession = /^(granary: The session same is new|Python was restarted: )/;
  const lines = stderr.split("\n").filter((line) => !ofTheSession.test(line));
  return { stdout, exitCode, stderr: lines.join("\n") };
}

function documentOf(text: string): unknown {
  const ownOfEachRun = ["durationMs", "pid", "id", "session", "startedAt", "generation"];
  return JSON.parse(text, (key, value) => (ownOfEachRun.includes(key) ? null : value));
}
