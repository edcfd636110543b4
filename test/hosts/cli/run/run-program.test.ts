import { execFile } from "node:child_process";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { JsonDocument } from "../../../../src/hosts/cli/report/json-document.ts";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import { py } from "../../../kernel/py.ts";
import { baseEnvironment, type Finished, granary, RunningGranary, testFolder } from "../granary.ts";

const folder = join(testFolder, "programs");
await mkdir(join(folder, "scripts"), { recursive: true });

async function script(name: string, code: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), code);
  return name;
}

/** The result of plain Python. */
async function python(executable: string, args: readonly string[]): Promise<Finished> {
  const run = promisify(execFile)(executable, [...args], { cwd: folder, env: baseEnvironment() });
  return run.then(
    ({ stdout, stderr }) => ({ stdout, stderr, exitCode: 0 }),
    ({ stdout, stderr, code }) => ({ stdout, stderr, exitCode: code }),
  );
}

const main = environment("main");
const backends = [
  { name: "the runner", executable: newestPython().path, options: [] },
  ...(isLong ? [{ name: "the runner on the oldest Python", executable: oldestPython().path, options: [] }] : []),
  ...(isLong && "python" in main
    ? [{ name: "a Jupyter kernel", executable: main.python, options: ["--backend", "zmq"] }]
    : []),
];

const exits = [
  "sys.exit(5)",
  "sys.exit('went wrong')",
  "sys.exit()",
  "sys.exit(0)",
  "sys.exit(256 + 7)",
  "sys.exit(-1)",
  "sys.exit(True)",
  "sys.exit('5')",
  "sys.exit((1, 2))",
  "raise SystemExit(3)",
];

describe.each(backends)("granary run FILE on $name", ({ executable, options }) => {
  const run = (...args: string[]) => granary(["run", "--python", executable, ...options, ...args], { cwd: folder });

  test("equals python FILE: arguments, names, import path, output, exit status", async () => {
    await script("scripts/neighbour.py", "value = 42");
    await script(
      "scripts/facts.py",
      py`
        """What it is about."""
        import sys, os, neighbour
        print(sys.argv, __name__, __doc__, __package__, __spec__)
        print(os.path.abspath(__file__), sys.path[0], "" in sys.path, os.getcwd() in sys.path)
        print(sys.modules["__main__"].neighbour is neighbour, type(__loader__).__name__)
        print(getattr(sys, "orig_argv", [""])[1:])
        "not shown"
      `,
    );
    const args = ["scripts/facts.py", "--json", "-c", "1", "--", "-x", ""];
    expect(await run(...args)).toEqual(await python(executable, args));
  });

  test.each(options.length === 0 ? exits : exits.slice(0, 3))("ends as Python does: %s", async (code) => {
    await script("leaving.py", `import sys\nprint("before")\n${code}\nprint("never")\n`);
    expect(await run("leaving.py")).toEqual(await python(executable, ["leaving.py"]));
  });

  test("a traceback has the file's lines, and nothing above them", async () => {
    await script(
      "raising.py",
      "def inner():\n    return {}['key']\n\n\ntry:\n    1/0\nexcept ZeroDivisionError:\n    inner()\n",
    );
    expect(await run("raising.py")).toEqual(withFullPath(await python(executable, ["raising.py"])));
  });

  test("a file that is not Python is reported with its line only", async () => {
    await script("broken.py", "x = 1\ndef f(:\n");
    expect(await run("broken.py")).toEqual(withFullPath(await python(executable, ["broken.py"])));
  });

  test("encodings are declared as for Python", async () => {
    await script("latin1.py", Buffer.from("# -*- coding: latin-1 -*-\nprint('caf\xe9')\n", "latin1"));
    expect(await run("latin1.py")).toMatchObject({ stdout: "café\n", exitCode: 0 });
  });

  test("asyncio.run() works", async () => {
    await script("loop.py", "import asyncio\nasync def main(): return 42\nprint(asyncio.run(main()))\n");
    expect(await run("loop.py")).toEqual({ stdout: "42\n", stderr: "", exitCode: 0 });
  });

  test("multiprocessing spawns children that import the script", async () => {
    await script(
      "pool.py",
      py`
        import multiprocessing
        def square(n): return n * n, __name__
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(square, [2, 3]))
      `,
    );
    const expected = "[(4, '__mp_main__'), (9, '__mp_main__')]\n";
    expect(await run("pool.py")).toEqual({ stdout: expected, stderr: "", exitCode: 0 });
  });

  test("a forked child ends as in a program", async () => {
    await script(
      "forking.py",
      py`
        import os, sys
        def child(work):
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                work()
            else:
                return os.waitpid(pid, 0)[1] >> 8
        print([child(lambda: sys.exit(3)), child(lambda: sys.exit("child"))])
        if child(lambda: 1/0) is None:
            sys.exit(9)
        print("parent")
      `,
    );
    const { stdout, stderr, exitCode } = await run("forking.py");
    expect({ stdout, exitCode }).toEqual({ stdout: "[3, 1]\nparent\n", exitCode: 0 });
    expect(stderr).toContain("child\n");
    expect(stderr.match(/ZeroDivisionError: division by zero/g)).toHaveLength(1);
  });

  test("-m runs a module with its arguments, from the working folder", async () => {
    await mkdir(join(folder, "package"), { recursive: true });
    await script("package/__init__.py", "");
    await script(
      "package/__main__.py",
      "from . import part\nimport sys; print(sys.argv, __spec__.name); sys.exit(part.status)\n",
    );
    await script("package/part.py", "status = 6");
    expect(await run("-m", "package", "--timeout", "x")).toEqual(
      await python(executable, ["-m", "package", "--timeout", "x"]),
    );
    expect(await run("-m", "package.missing")).toEqual(await python(executable, ["-m", "package.missing"]));
  });

  test("threads are waited for", async () => {
    await script("threads.py", threads);
    const { stdout, ...rest } = await run("threads.py", "0.3");
    const [main, pool, thread, exit] = stdout.split("\n");
    expect({ main, pool, thread, ...rest }).toEqual({
      main: "main is over",
      pool: "pool",
      thread: "thread",
      stderr: "",
      exitCode: 0,
    });
    // A Jupyter kernel calls them when it ends, and may have closed its channels by then.
    if (options.length === 0) expect(exit).toBe("exit");
  });

  test("--timeout limits the wait for threads, and the JSON document names them", async () => {
    await script("threads.py", threads);
    const { stdout, exitCode } = await run("--json", "--timeout", "2", "threads.py", "600");
    const { status, cells, unfinishedThreads } = JSON.parse(stdout) as JsonDocument;
    expect({ status, cell: cells[0]?.status, unfinishedThreads, exitCode }).toEqual({
      status: "timeout",
      cell: "ok",
      unfinishedThreads: ["the slow one"],
      exitCode: 124,
    });
  });
});

describe("a Python that ends while a run waits for its threads", () => {
  const late = (code: string): string => py`
    import os, signal, threading, time
    def work():
        time.sleep(0.5)
        ${code}
    threading.Thread(target=work).start()
  `;
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { stdout, stderr, exitCode } = await granary(["run", "--json", ...args], { cwd: folder, env });
    const { status, error, cells } = JSON.parse(stdout) as JsonDocument;
    expect(cells.map((cell) => cell.status)).toEqual(["ok"]);
    expect(stderr).toBe(error === null ? "" : `${error.message}\n`);
    return { status, code: error?.code, message: error?.message, exitCode };
  };

  test.skipIf(process.platform !== "linux")("by a limit fails the run, and names the setting", async () => {
    const end = await run(["-c", late("while True: pass")], { GRANARY_PYTHON_CPU_SECONDS: "1" });
    expect(end).toMatchObject({ status: "failed", code: "kernel-died", exitCode: 3 });
    expect(end.message).toContain("the limit of python.cpuSeconds");
  });

  test("by a crash or os._exit() fails the run, a script with Python's own exit status", async () => {
    const killed = late("os.kill(os.getpid(), signal.SIGKILL)");
    expect(await run([await script("killed.py", killed)])).toMatchObject({ status: "failed", exitCode: 137 });
    expect(await run(["-c", killed])).toMatchObject({ status: "failed", exitCode: 3 });
    const exits = await run([await script("exits.py", late("os._exit(7)"))]);
    expect(exits).toMatchObject({ status: "failed", exitCode: 7 });
    expect(exits.message).toContain("Python ended itself with exit code 7.");
    expect(await run([await script("good.py", late("os._exit(0)"))])).toMatchObject({ status: "ok", exitCode: 0 });
  });
});

const threads = py`
  import atexit, sys, threading, time
  from concurrent.futures import ThreadPoolExecutor
  atexit.register(print, "exit")
  def later():
      time.sleep(float(sys.argv[1]))
      print("thread")
  pool = ThreadPoolExecutor()
  print("main is over")
  pool.submit(print, "pool").result()
  threading.Thread(target=later, name="the slow one").start()
`;

/** Python 3.8 names the file as it was typed, later ones by its full path. */
function withFullPath({ stderr, ...rest }: Finished): Finished {
  return { ...rest, stderr: stderr.replaceAll(/File "(?=\w)/g, `File "${folder}/`) };
}

describe("granary run FILE", () => {
  test("Ctrl-C ends the wait for threads", async () => {
    await script("threads.py", `${threads}\nprint("all are running")`);
    const run = new RunningGranary(["run", "threads.py", "600"], { cwd: folder });
    await run.untilOutput("all are running\n");
    run.process.kill("SIGINT");
    const { exitCode, stderr } = await run.finished;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/Still running: .*the slow one\./);
  });

  test("a link is followed to the folder that modules are imported from", async () => {
    await script("scripts/neighbour.py", "value = 42");
    await script("scripts/linked.py", "import neighbour, sys; print(neighbour.value, sys.path[0], __file__)");
    await symlink("scripts/linked.py", join(folder, "link.py")).catch(() => {});
    const { stdout } = await granary(["run", "link.py"], { cwd: folder });
    expect(stdout).toBe(`42 ${await realpath(join(folder, "scripts"))} ${join(folder, "link.py")}\n`);
  });

  test("options of Granary come first, -- ends them", async () => {
    await script("-odd.py", "import sys; print(sys.argv)");
    const { stdout } = await granary(["run", "--timeout", "60", "--", "-odd.py", "--timeout"], { cwd: folder });
    expect(stdout).toBe("['-odd.py', '--timeout']\n");
  });

  test("granary FILE is short for it", async () => {
    await script("short.py", "import sys; print(sys.argv); sys.exit(4)");
    expect(await granary(["short.py", "--help"], { cwd: folder })).toEqual({
      stdout: "['short.py', '--help']\n",
      stderr: "",
      exitCode: 4,
    });
  });

  test("the JSON document has the program's exit status, and no traceback", async () => {
    await script("short.py", "import sys; print('a'); sys.exit(4)");
    const { stdout, exitCode } = await granary(["run", "--json", "short.py"], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({
      status: "error",
      exitStatus: 4,
      cells: [{ status: "error", output: "a\n", error: { name: "SystemExit", message: "4", traceback: [] } }],
    });
    expect(exitCode).toBe(4);
  });

  test("displays and figures are shown as in a cell", async () => {
    await script("shows.py", "class Both:\n    def _repr_markdown_(self): return '**bold**'\ndisplay(Both())\n");
    expect((await granary(["run", "shows.py"], { cwd: folder })).stdout).toBe("**bold**\n");
  });

  test("- takes arguments and stays a cell", async () => {
    const stdin = "import sys\nsys.argv";
    expect(await granary(["run", "-", "--json", "a"], { stdin })).toMatchObject({ stdout: "['-', '--json', 'a']\n" });
  });

  test("sys.exit() in a cell ends the command with its status", async () => {
    const [status, text] = await Promise.all([
      granary(["run", "-c", "import sys; sys.exit(5)"]),
      granary(["run", "-c", "import sys; sys.exit('went wrong')"]),
    ]);
    expect(status).toEqual({ stdout: "", stderr: "", exitCode: 5 });
    expect(text).toEqual({ stdout: "", stderr: "went wrong\n", exitCode: 1 });
  });
});

describe("a notebook", () => {
  test.each([[["run", "book.ipynb"]], [["book.ipynb"]], [["run", "--timeout", "60", "book.ipynb"]]])(
    "granary %j runs its cells and saves their outputs",
    async (args) => {
      const cell = { cell_type: "code", metadata: {}, source: "6 * 7", outputs: [], execution_count: null, id: "a" };
      const book = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
      await script("book.ipynb", JSON.stringify(book));
      expect((await granary(args, { cwd: folder })).exitCode).toBe(0);
      expect((await granary(["notebook", "show", "book.ipynb"], { cwd: folder })).stdout).toContain("42");
    },
  );

  test.each([
    [["-p", "a=1", "-p", "b", "two", "set.ipynb"]],
    [["-pa=1", "--param", "b=two", "--cwd", ".", "set.ipynb"]],
    [["--timeout", "60", "-p", "a", "1", "set.ipynb", "-p", "b", "two"]],
  ])("granary run %j takes parameters before it", async (args) => {
    const source = (text: string, tags: string[] = []) => ({
      cell_type: "code",
      metadata: { tags },
      source: text,
      outputs: [],
      execution_count: null,
    });
    const cells = [source("a = b = None", ["parameters"]), source("print([a, b])")];
    await script("set.ipynb", JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }));
    expect(await granary(["run", ...args], { cwd: folder })).toMatchObject({ exitCode: 0 });
    expect((await granary(["notebook", "show", "set.ipynb"], { cwd: folder })).stdout).toContain("[1, 'two']");
  });

  test("as an argument of a script leaves the script's options to the script, and -p is no option for scripts", async () => {
    await script("show.py", "import sys; print(sys.argv)");
    const shown = await granary(["run", "show.py", "-p", "x.ipynb"], { cwd: folder });
    expect(shown.stdout).toBe("['show.py', '-p', 'x.ipynb']\n");
    const wrong = await granary(["run", "-p", "a=1", "show.py", "x.ipynb"], { cwd: folder });
    expect(wrong).toMatchObject({ exitCode: 2, stderr: "granary: Unknown option -p.\n" });
  });
});

test("-c with -m is refused with the remedy, and -m behind -c is code", async () => {
  const both = await granary(["run", "-c", "1", "-m", "this"], { cwd: folder });
  expect(both).toMatchObject({
    ...{ exitCode: 2, stdout: "" },
    stderr: "granary: -c and -m cannot be combined. In a cell, %run -m NAME runs a module.\n",
  });
  expect((await granary(["run", "-c", "m = 1", "-c", "-m"], { cwd: folder })).stdout).toBe("-1\n");
});
