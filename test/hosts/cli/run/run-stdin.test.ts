import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { firstFew, isLong } from "../../../environment/variants.ts";
import { py } from "../../../kernel/py.ts";
import { keys } from "../../../terminal/keys.ts";
import { baseEnvironment, type Finished, granary, granaryProcess, RunningGranary, testFolder } from "../granary.ts";
import { granaryInTerminal } from "../terminal.ts";

const folder = join(testFolder, "stdin");
await mkdir(folder, { recursive: true });

async function script(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code);
  return name;
}

const main = environment("main");
const backends = [
  { name: "the runner", isJupyter: false, executable: newestPython().path, options: [] },
  ...(isLong
    ? [{ name: "the runner on the oldest Python", isJupyter: false, executable: oldestPython().path, options: [] }]
    : []),
  ...("python" in main
    ? [{ name: "a Jupyter kernel", isJupyter: true, executable: main.python, options: ["--backend", "zmq"] }]
    : []),
];

/** The result of plain Python. */
async function python(executable: string, args: readonly string[], stdin: string | Uint8Array): Promise<Finished> {
  const run = promisify(execFile)(executable, [...args], { cwd: folder, env: baseEnvironment() });
  run.child.stdin?.end(stdin);
  return run.then(
    ({ stdout, stderr }) => ({ stdout, stderr, exitCode: 0 }),
    ({ stdout, stderr, code }) => ({ stdout, stderr, exitCode: code }),
  );
}

/** A Jupyter kernel tries the first in `npm test`. */
const readings: Readonly<Record<string, string>> = {
  "input() beside sys.stdin": "import sys\nprint(input(), sys.stdin.readline(), input())",
  "descriptor 0": "import os\nprint(os.read(0, 3), os.read(0, 100))",
  "sys.stdin.read()": "import sys\nprint(repr(sys.stdin.read()))",
  "for line in sys.stdin": "import sys\nfor line in sys.stdin: print(repr(line))",
  "input() until its end": "try:\n    while True: print(repr(input('> ')))\nexcept EOFError as end: print(end)",
  "sys.stdin.buffer": "import sys\nprint(sys.stdin.buffer.read())",
  "a child process": "import subprocess\nprint(subprocess.run(['cat'], stdout=subprocess.PIPE).stdout)",
  fileinput: "import fileinput\nprint(list(fileinput.input()))",
  "what it is":
    "import sys\nprint(sys.stdin.isatty(), sys.stdin.fileno(), sys.stdin.name, sys.stdin.mode, sys.stdin is sys.__stdin__)",
};

describe.each(backends)("a script on $name reads standard input as in Python", ({ executable, options, isJupyter }) => {
  const run = (args: readonly string[], stdin: string | Uint8Array) =>
    granaryProcess(["run", "--python", executable, ...options, ...args], { cwd: folder, stdin });

  // These begin in the same way on a Jupyter kernel, which takes half a second to start.
  const isRepeated = isJupyter && !isLong;

  test.each(isJupyter ? firstFew(Object.entries(readings), 1) : Object.entries(readings))("%s", async (_what, code) => {
    await script("reading.py", code);
    const stdin = "one\r\ntwo é\n\nlast, without an end";
    expect(await run(["reading.py"], stdin)).toEqual(await python(executable, ["reading.py"], stdin));
  });

  test("bytes that are not text, and empty input", async () => {
    await script("bytes.py", "import sys\nprint(sys.stdin.buffer.read())");
    const stdin = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(await run(["bytes.py"], stdin)).toEqual(await python(executable, ["bytes.py"], stdin));
    if (!isRepeated) expect(await run(["bytes.py"], "")).toMatchObject({ stdout: "b''\n", exitCode: 0 });
  });

  test.skipIf(isRepeated)("-m runs a module that reads it", async () => {
    await script("filter.py", "import sys\nsys.stdout.write(sys.stdin.read().upper())\n");
    expect(await run(["-m", "filter"], "text\n")).toEqual(await python(executable, ["-m", "filter"], "text\n"));
  });

  test.skipIf(isRepeated)("an early end of input is an EOFError, with the script's line", async () => {
    await script("asking.py", "name = input()");
    const { stderr, exitCode } = await run(["asking.py"], "");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/line 1, in <module>\n {4}name = input\(\)\n[\s\S]*EOFError: EOF when reading a line\n$/);
    expect(stderr).not.toMatch(/granary_runner|<granary>/);
  });
});

describe("a script", () => {
  test("reads a hundred megabytes", async () => {
    const chunk = Buffer.alloc(1_000_000, "0123456789abcdef\n");
    const expected = createHash("sha256");
    for (let at = 0; at < 100; at++) expected.update(chunk);
    await script("large.py", "import hashlib, sys\nprint(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())");
    const args = [inRepository("bin/granary"), "run", "large.py"];
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: baseEnvironment(),
      stdio: ["pipe", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    for (let at = 0; at < 100; at++) if (!child.stdin.write(chunk)) await once(child.stdin, "drain");
    child.stdin.end();
    await once(child, "close");
    expect(stdout).toBe(`${expected.digest("hex")}\n`);
  });

  test("leaves unread input to the next program, as in a shell", async () => {
    await script("nothing.py", "print('nothing')");
    await writeFile(join(folder, "lines"), "one\n");
    const shell = `(node ${inRepository("bin/granary")} run nothing.py; cat) < lines`;
    const { stdout } = await promisify(execFile)("sh", ["-c", shell], {
      cwd: folder,
      env: { ...baseEnvironment(), PATH: `${baseEnvironment().PATH}:${join(process.execPath, "..")}` },
    });
    expect(stdout).toBe("nothing\none\n");
  });

  test("finds a closed standard input empty", async () => {
    await script("rest.py", "import sys\nprint(repr(sys.stdin.read()))");
    const shell = `"${process.execPath}" "${inRepository("bin/granary")}" run rest.py <&-`;
    const { stdout } = await promisify(execFile)("sh", ["-c", shell], { cwd: folder, env: baseEnvironment() });
    expect(stdout).toBe("''\n");
  });

  test("that waits for standard input can be interrupted", async () => {
    await script("waiting.py", "import sys\nprint('ready', flush=True)\nsys.stdin.read()");
    const args = [inRepository("bin/granary"), "run", "waiting.py"];
    const child = spawn(process.execPath, args, { cwd: folder, env: baseEnvironment() });
    child.stdout.once("data", () => child.kill("SIGINT"));
    const [code] = await once(child, "close");
    expect(code).toBe(130);
  });

  test("whose program comes from standard input finds it empty", async () => {
    const { stdout } = await granaryProcess(["run", "-"], { stdin: "import sys\nprint(repr(sys.stdin.read()))" });
    expect(stdout).toBe("''\n");
  });

  test("reads from a terminal, with input() and with sys.stdin", async () => {
    const code = py`
      import sys
      name = input("name? ")
      print("line?", flush=True)
      line = sys.stdin.readline()
      print([name, line, sys.stdin.isatty()])
    `;
    await script("typed.py", code);
    const { screen, exitCode } = await granaryInTerminal(
      ["run", join(folder, "typed.py")],
      [
        { after: "name?", type: `Ada${keys.enter}` },
        { after: "line?", type: `more${keys.enter}` },
      ],
    );
    expect(screen).toContain("['Ada', 'more\\n', True]");
    expect(exitCode).toBe(0);
  });
});

describe.each(backends)("a script on $name that ends Python", ({ executable, options, isJupyter }) => {
  const run = (...args: string[]) => granary(["run", "--python", executable, ...options, ...args], { cwd: folder });

  test("with os._exit() ends the command with its status, and standard error reports it", async () => {
    await script("leaves.py", "import os, sys\nprint('before', flush=True)\nos._exit(int(sys.argv[1]))");
    // ipykernel publishes printed text a little later, unless the process is gone by then.
    const printed = !isJupyter ? "before\n" : expect.stringMatching(/^(before\n)?$/);
    const stderr = expect.stringMatching(/^(Python|The kernel) ended itself with exit code 5\.\n$/);
    expect(await run("leaves.py", "5")).toEqual({ stdout: printed, stderr, exitCode: 5 });
    if (isJupyter && !isLong) return;
    expect(await run("leaves.py", "0")).toEqual({ stdout: printed, stderr: "", exitCode: 0 });
  });

  const signals: readonly [string, number][] = [
    ["SIGKILL", 137],
    ["SIGTERM", 143],
    ["SIGSEGV", 139],
  ];
  test.each(isJupyter ? firstFew(signals, 1) : signals)(
    "by %s ends the command with %i, as a shell reports it",
    async (name, status) => {
      await script(
        "killed.py",
        "import os, signal, sys\nos.kill(os.getpid(), getattr(signal, sys.argv[1]))\nsignal.pause()",
      );
      const { stderr, exitCode } = await run("killed.py", name);
      expect(exitCode).toBe(status);
      expect(stderr).toContain(name);
      expect(stderr).not.toContain("variables");
    },
  );
});

describe("the end of Python", () => {
  test("is in the JSON document of a script", async () => {
    await script("leaves.py", "import os, sys\nos._exit(int(sys.argv[1]))");
    const failed = await granary(["run", "--json", "leaves.py", "5"], { cwd: folder });
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: "failed",
      exitStatus: 5,
      error: { code: "kernel-died" },
    });
    const good = await granary(["run", "--json", "leaves.py", "0"], { cwd: folder });
    expect(JSON.parse(good.stdout)).toMatchObject({ status: "ok", exitStatus: 0, error: null });
  });

  test("is 3 for cells, whose variables are lost", async () => {
    const { stderr, exitCode } = await granary(["run", "-c", "import os; os._exit(5)"]);
    expect(exitCode).toBe(3);
    expect(stderr).toBe("Python ended itself with exit code 5. Its variables are gone.\n");
  });

  test("is 124 for a script that had to be killed after a timeout", async () => {
    await script(
      "stubborn.py",
      "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    );
    const running = new RunningGranary(["run", "--timeout", "0.5", "stubborn.py"], { cwd: folder });
    expect((await running.finished).exitCode).toBe(124);
  });
});
