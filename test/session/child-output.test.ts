import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { startKernel } from "../../src/runtime/start-kernel.ts";
import { environment, newestPython, oldestPython } from "../environment/pythons.ts";
import { isLong } from "../environment/variants.ts";
import { printed, run } from "../kernel/collect.ts";
import { py } from "../kernel/py.ts";
import { plainEnvironment } from "../kernel/runner/start-runner.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-children-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/** The prints of workers that outlive the cell which started them. Their result comes after their print. */
const workers = (context: string) => py`
  import concurrent.futures, multiprocessing
  def work(n):
      print("worker", n)
      return n
  pool = concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("${context}"))
  pool.submit(work, 1).result()
`;

/** How a child sees its standard output, without printing it there: the kind of its buffer. */
const childStream = py`
  import subprocess, sys
  code = "import sys; sys.stderr.write(type(sys.stdout.buffer).__name__)"
  print(subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE).stderr.decode())
`;

const main = environment("main");
const kinds = [
  { on: `the runner, Python ${oldestPython().version}`, interpreter: oldestPython().path, backend: "runner" },
  { on: `the runner, Python ${newestPython().version}`, interpreter: newestPython().path, backend: "runner" },
  ...("python" in main ? [{ on: "ipykernel", interpreter: main.python, backend: "zmq" }] : []),
] as const;

for (const { on, interpreter, backend } of kinds) {
  const start = ({ env = {}, extraEnv }: Start = {}): Promise<Kernel> =>
    startKernel({
      cwd: folder,
      interpreter,
      env: { ...plainEnvironment, ...env },
      extraEnv,
      settings: { python: { backend } } as never,
    });

  describe(`on ${on}`, () => {
    // ipykernel shows the prints of a forked process in the cell of the fork; spawn finds no definitions of cells there.
    const contexts = backend === "runner" ? ["fork", "spawn", "forkserver"] : [];
    test.each(contexts)("prints of workers by %s come in the cell that gave them the work", async (context) => {
      await using kernel = await start();
      expect((await run(kernel, workers(context))).stdout).toBe("worker 1\n");
      const next = await run(kernel, "pool.submit(work, 2).result();");
      expect(next.stdout).toBe("worker 2\n");
      await run(kernel, "pool.shutdown()");
    });

    test("prints of a child program come while it runs", async () => {
      await using kernel = await start();
      await run(
        kernel,
        py`
          import subprocess, sys
          code = "import sys; print('ready'); sys.stdin.readline(); print('end')"
          child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        `,
      );
      // Blocks for ever where the child keeps its line until it ends.
      expect(await printed(kernel, "print(child.stdout.readline().decode(), end='')")).toBe("ready\n");
      expect(await printed(kernel, "print(child.communicate(b'go')[0].decode(), end='')")).toBe("end\n");
    });

    test("children have a buffer where the user's environment says so", async () => {
      await using unbuffered = await start();
      expect(await printed(unbuffered, childStream)).toBe("FileIO\n");
      await run(unbuffered, "import os; del os.environ['PYTHONUNBUFFERED']");
      expect(await printed(unbuffered, childStream)).toBe("BufferedWriter\n");
      // A kernel's environment is made before anything depends on its backend, and ipykernel takes long to start.
      if (backend === "zmq" && !isLong) return;
      await using buffered = await start({ env: { PYTHONUNBUFFERED: "0" } });
      expect(await printed(buffered, childStream)).toBe("BufferedWriter\n");
      await using asked = await start({ extraEnv: { PYTHONUNBUFFERED: "" } });
      expect(await printed(asked, childStream)).toBe("BufferedWriter\n");
    });
  });
}

describe("on the runner", () => {
  const start = (env: Readonly<Record<string, string>> = {}) =>
    startKernel({ cwd: folder, interpreter: newestPython().path, env: { ...plainEnvironment, ...env } });

  test.each(["", "1"])(
    "Python itself collects many prints in few writes, also where PYTHONUNBUFFERED=%j",
    async (value) => {
      await using kernel = await start({ PYTHONUNBUFFERED: value });
      const cell = py`
      from granary_runner.wire import streams
      calls = []
      raw = streams._wrote
      def counted(*args):
          calls.append(1)
          return raw(*args)
      streams._wrote = counted
      for i in range(100000):
          print(i)
      streams._wrote = raw
      streams.flush()
      print("few" if len(calls) < 50000 else len(calls))
    `;
      expect((await printed(kernel, cell)).trimEnd().split("\n").at(-1)).toBe("few");
    },
  );

  test("a worker that is forked while the cell floods its output prints line by line", async () => {
    await using kernel = await start();
    const flood = py`
      import concurrent.futures, multiprocessing, time
      from granary_runner.wire import streams
      def work(n):
          print("worker", n)
          return n
      pool = concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork"))
      while streams.stdout.line_buffering:
          print("flood")
      pool.submit(work, 1).result();
    `;
    expect((await run(kernel, flood)).stdout).toContain("worker 1\n");
    expect((await run(kernel, "pool.submit(work, 2).result();")).stdout).toBe("worker 2\n");
    await run(kernel, "pool.shutdown()");
  });
});
