import { mkdir, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonDocument } from "../../../../src/hosts/cli/report/json-document.ts";
import { py } from "../../../kernel/py.ts";
import { granary, granaryHome, granaryJson, granaryProcess, RunningGranary, testFolder } from "../granary.ts";

describe("granary run", () => {
  test("prints what the code prints", async () => {
    expect(await granary(["run", "-c", "print(6*7)"])).toEqual({ stdout: "42\n", stderr: "", exitCode: 0 });
  });

  test("runs each -c as a cell; cells share variables, and a last expression is shown", async () => {
    expect(await granary(["run", "-c", "x = 6", "-c", "x * 7", "-c", "x;"])).toEqual({
      stdout: "42\n",
      stderr: "",
      exitCode: 0,
    });
  });

  test("runs a file", async () => {
    await writeFile(join(testFolder, "hello.py"), "name = 'Ada'\nprint(f'hello {name}')\n");
    expect(await granary(["run", "hello.py"])).toMatchObject({ stdout: "hello Ada\n", exitCode: 0 });
  });

  test.each([[["run", "-"]], [["run"]], [[]]])("reads the code from a pipe: granary %j", async (args) => {
    const finished = await granary(args, { stdin: "x = 1\nprint('from the pipe')\n" });
    expect(finished).toEqual({ stdout: "from the pipe\n", stderr: "", exitCode: 0 });
  });

  test("takes code that begins with a dash, and code attached to the option", async () => {
    expect((await granary(["run", "-c", "-1", "-cprint(2)", "--code=3"])).stdout).toBe("-1\n2\n3\n");
  });

  test("keeps Unicode unchanged", async () => {
    const stdin = "\ufeffprint('naïve 🐍 \\u4f60\\u597d')\n'日本'\n";
    expect((await granary(["run"], { stdin })).stdout).toBe("naïve 🐍 你好\n'日本'\n");
  });

  test("keeps stdout and stderr apart", async () => {
    const code = "import sys; print('out'); print('err', file=sys.stderr)";
    expect(await granary(["run", "-c", code])).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 0 });
  });

  test("shows output while the cell runs", async () => {
    const run = new RunningGranary(["run", "-c", "print('first'); import time; time.sleep(60)"]);
    await run.untilOutput("first\n");
    run.process.kill("SIGINT");
    expect((await run.finished).exitCode).toBe(130);
  });

  test.skipIf(process.platform !== "linux")("starts one Python, however long the code takes", async () => {
    const code = py`
      import os, pathlib, time
      time.sleep(1.5)
      host = os.getppid()
      pids = pathlib.Path(f"/proc/{host}/task/{host}/children").read_text().split()
      print([pid == str(os.getpid()) for pid in pids if "granary_runner" in pathlib.Path(f"/proc/{pid}/cmdline").read_text()])
    `;
    expect((await granaryProcess(["run", "-c", code])).stdout).toBe("[True]\n");
  });

  test("passes on large output whole", async () => {
    const { stdout } = await granary(["run", "-c", "for n in range(200_000): print(n, 'x' * 40)"]);
    const lines = stdout.split("\n");
    expect(lines).toHaveLength(200_001);
    expect(lines.at(-2)).toBe(`199999 ${"x".repeat(40)}`);
  });

  test("a result begins on a line of its own", async () => {
    const code = "print('no newline', end=''); 5";
    expect((await granary(["run", "-c", code])).stdout).toBe("no newline\n5\n");
  });

  test("prefers Markdown to plain text", async () => {
    const code = py`
      class Both:
          def _repr_markdown_(self): return "**bold**"
      Both()
    `;
    expect((await granary(["run", "-c", code])).stdout).toBe("**bold**\n");
  });

  test("waits for threads that still print when the last cell has ended", async () => {
    const code = py`
      import threading, time
      def late():
          time.sleep(0.3)
          print("late")
      threading.Thread(target=late).start()
    `;
    expect(await granary(["run", "-c", code])).toEqual({ stdout: "late\n", stderr: "", exitCode: 0 });
  });

  describe("--cwd", () => {
    test("is the working folder of the code; FILE is relative to the caller's folder", async () => {
      await mkdir(join(testFolder, "data"), { recursive: true });
      await writeFile(join(testFolder, "where.py"), "import os; print(os.getcwd())");
      const { stdout } = await granary(["run", "--cwd", "data", "where.py"]);
      expect(stdout).toBe(`${await realpath(join(testFolder, "data"))}\n`);
    });

    test.each([
      ["nowhere", "cannot be used: it does not exist"],
      ["where.txt", "is not a folder"],
      ["where.txt/deeper", "cannot be used: a part of its path is not a folder"],
    ])("%s is refused: %s", async (cwd, problem) => {
      await writeFile(join(testFolder, "where.txt"), "");
      const refused = await granary(["run", "--cwd", cwd, "-c", "print(1)"]);
      expect(refused).toEqual({
        stdout: "",
        stderr: `granary: --cwd ${join(testFolder, cwd)} ${problem}.\n`,
        exitCode: 2,
      });
    });
  });

  describe("a cell that fails", () => {
    test("shows its traceback on stderr and makes the exit code 1", async () => {
      const { stdout, stderr, exitCode } = await granary(["run", "-c", "print('before')\n1/0"]);
      expect(stdout).toBe("before\n");
      expect(stderr).toContain("line 2");
      expect(stderr).toContain("    1/0\n");
      expect(stderr).toMatch(/ZeroDivisionError: division by zero\n$/);
      expect(exitCode).toBe(1);
    });

    test("stops the run and is named when there are several", async () => {
      const { stdout, stderr, exitCode } = await granary(["run", "-c", "1", "-c", "1/0", "-c", "print('never')"]);
      expect(stdout).toBe("1\n");
      expect(stderr).toMatch(/\nCell 2 of 3 failed: ZeroDivisionError: division by zero\n$/);
      expect(exitCode).toBe(1);
    });

    test("a syntax error is a cell that fails", async () => {
      const { stderr, exitCode } = await granary(["run", "-c", "x ="]);
      expect(stderr).toContain("SyntaxError: invalid syntax");
      expect(exitCode).toBe(1);
    });
  });

  describe("--timeout", () => {
    test("holds even during odd output: backspaces, accents and bytes that are not text", async () => {
      const code = py`
        import os, sys, time
        print("x" * 8000, end="")
        print("\b\u0301\u00e9" * 100_000, flush=True)
        os.write(1, open(sys.executable, "rb").read(1_000_000))
        print("\x1b[2J\x1b[99B\x1b[8000Gx" * 20_000, flush=True)
        time.sleep(60)
      `;
      const { document, exitCode } = await granaryJson(["run", "--timeout", "3", "-c", code]);
      expect(document).toMatchObject({ status: "timeout", kernel: { state: "idle" } });
      expect(exitCode).toBe(124);
    });

    test("interrupts a cell that takes too long", async () => {
      const code = "import time\nprint('begun')\ntime.sleep(60)";
      const { stdout, stderr, exitCode } = await granary(["run", "--timeout", "0.5", "-c", code]);
      expect(stdout).toBe("begun\n");
      expect(stderr).toContain("    time.sleep(60)\n");
      expect(stderr).toMatch(/\nCommand timed out after 0.5 seconds\n$/);
      expect(exitCode).toBe(124);
    });

    test("applies to each cell separately", async () => {
      const cell = ["-c", "import time; time.sleep(0.6)"];
      const { exitCode } = await granary(["run", "--timeout", "1.5", ...cell, ...cell, ...cell]);
      expect(exitCode).toBe(0);
    });

    test("0 means none", async () => {
      const { exitCode } = await granary(["run", "--timeout", "0", "-c", "import time; time.sleep(0.2)"]);
      expect(exitCode).toBe(0);
    });
  });

  test("a second run of a crashed cell is reported", async () => {
    const crashesOnce = py`
      import os, pathlib
      mark = pathlib.Path("mark")
      if not mark.exists():
          mark.touch()
          os._exit(7)
      print("second")
    `;
    const cwd = await mkdtemp(join(testFolder, "crashes-"));
    const again = await granary(["run", "-c", crashesOnce], { cwd, env: { GRANARY_PYTHON_CRASH_RETRY: "once" } });
    expect(again).toMatchObject({ stdout: "second\n", exitCode: 0 });
    expect(again.stderr).toMatch(/exit code 7.* The cell is run once more, in a fresh kernel/);
  });

  test("a kernel crash is explained; its output before is kept", async () => {
    const code = "import os; print('last words', flush=True); os.kill(os.getpid(), 9)";
    const { stdout, stderr, exitCode } = await granary(["run", "-c", code]);
    expect(stdout).toBe("last words\n");
    expect(stderr).toContain("SIGKILL");
    expect(exitCode).toBe(3);
  });

  test("without any Python reports that, and how to get one", async () => {
    const { stderr, exitCode } = await granary(["run", "-c", "1"], { env: { PATH: "/nowhere" } });
    expect(stderr).toBe(
      `granary: No Python found. Looked at VIRTUAL_ENV, .venv, venv, CONDA_PREFIX, PATH and ${granaryHome}/python-env. ` +
        "Install Python 3.8 or newer, or create an environment with: python3 -m venv .venv\n",
    );
    expect(exitCode).toBe(3);
  });

  describe("a cell that asks for input when there is no one to answer", () => {
    test("fails, and the error suggests other ways to pass data", async () => {
      const { stdout, stderr, exitCode } = await granary(["run", "-c", "print(repr(input('Name: ')))"]);
      expect(stdout).toBe("''\n");
      expect(stderr).toContain("Pass the data programmatically");
      expect(exitCode).toBe(1);
    });

    test("is stopped when it keeps asking", async () => {
      const { stderr, exitCode } = await granary(["run", "-c", "while True: input()"]);
      expect(stderr).toContain("Pass the data programmatically");
      expect(exitCode).toBe(1);
    });
  });
});

describe("output that is too long for a result", () => {
  const artifacts = join(testFolder, "home-of-long-output");
  const kept = async () =>
    (await readdir(artifacts, { recursive: true }).catch(() => [])).filter((name) => /\.\w+$/.test(name));

  test("is whole in a pipe, which leaves no artifact behind", async () => {
    const code = "print('x' * 3_000_000)";
    const { stdout } = await granary(["run", "-c", code], { env: { GRANARY_HOME: artifacts } });
    expect(stdout).toHaveLength(3_000_001);
    expect((await kept()).filter((name) => name.includes("artifacts"))).toEqual([]);
  });

  test("is in an artifact that the JSON document names", async () => {
    const { stdout } = await granary(["run", "--json", "-c", "print('x\\n' * 300_000)"], {
      env: { GRANARY_HOME: artifacts },
    });
    const { cells } = JSON.parse(stdout) as JsonDocument;
    expect(cells[0]?.truncation?.artifact).toMatch(/^artifact:/);
    expect((await kept()).filter((name) => name.includes("artifacts"))).toHaveLength(1);
  });
});
