import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import { newestPython } from "../../environment/pythons.ts";
import { testedPythons } from "../../environment/variants.ts";
import { printed, run } from "../collect.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { portsOf } from "./contract/ports.ts";
import { look } from "./look.ts";
import { plainEnvironment, startRunner, temporaryFolder } from "./start-runner.ts";

const isLinux = process.platform === "linux";

for (const python of testedPythons()) {
  describe(`code in a cell on Python ${python.version}`, () => {
    test("finds the interpreter as `python -c` has it", async () => {
      await withRunner(
        python.path,
        async (kernel) => {
          const env = { ...plainEnvironment, PYTHONUTF8: "1" };
          const plain = execFileSync(python.path, ["-c", look], { env, cwd: "/", encoding: "utf8", input: "" });
          expect(JSON.parse(await printed(kernel, look))).toEqual(JSON.parse(plain));
        },
        { cwd: "/", env: { ...plainEnvironment, PYTHONUTF8: "1" } },
      );
    });

    test("writes nothing into Granary's package when it names a file after the program, nor do its children", async () => {
      const folder = temporaryFolder();
      await withRunner(
        python.path,
        async (kernel) => {
          // Where bokeh's show() and others look: the outermost frame, the main module, the first argument.
          const define = py`
            import multiprocessing, os, sys
            def write_beside_program(name):
                frame = sys._getframe()
                while frame.f_back: frame = frame.f_back
                main = sys.modules["__main__"]
                written = []
                for file in (frame.f_globals.get("__file__"), getattr(main, "__file__", None), sys.argv[0]):
                    path = os.path.join(os.path.dirname(os.path.abspath(file or "program.py")), name)
                    open(path, "a").close()
                    written.append(path)
                return written
          `;
          await run(kernel, define);
          const inCell = await printed(kernel, "for path in write_beside_program('in-cell.html'): print(path)");
          const children = py`
            for method in ("fork", "spawn", "forkserver"):
                with multiprocessing.get_context(method).Pool(1) as pool:
                    for path in pool.apply(write_beside_program, ("in-child.html",)): print(path)
          `;
          const paths = (inCell + (await printed(kernel, children))).trim().split("\n");
          expect(paths.length).toBe(12);
          expect(paths.filter((path) => path.includes("granary_runner"))).toEqual([]);
          expect(inCell.trim().split("\n")).toContain(join(folder, "in-cell.html"));
        },
        { cwd: folder },
      );
      rmSync(folder, { recursive: true });
    });

    test("finds no names but Python's own, and IPython's in builtins", async () => {
      await withRunner(python.path, async (kernel) => {
        const listNames = "import builtins, json; print(json.dumps([sorted(globals()), sorted(dir(builtins))]))";
        const plain = JSON.parse(execFileSync(python.path, ["-c", listNames], { encoding: "utf8" }));
        const [globals, builtins] = JSON.parse(await printed(kernel, listNames)) as [string[], string[]];
        expect(globals.filter((name) => !plain[0].includes(name))).toEqual([]);
        const ipython = ["In", "Out", "__IPYTHON__", "_ih", "_oh", "display", "get_ipython"];
        expect(builtins.filter((name) => !plain[1].includes(name)).sort()).toEqual(["__granary__", ...ipython].sort());
        expect(await printed(kernel, "mine = 1\nprint([name for name in dir() if not name.startswith('__')])")).toBe(
          "['builtins', 'json', 'mine']\n",
        );
      });
    });

    test("gets the environment it was given, and so do its children", async () => {
      const env = { PATH: plainEnvironment.PATH ?? "", ONLY: "this" };
      await withRunner(
        python.path,
        async (kernel) => {
          const list = "import json, os; print(json.dumps(dict(os.environ)))";
          const plain = JSON.parse(execFileSync(python.path, ["-c", list], { env, encoding: "utf8" }));
          const own = JSON.parse(await printed(kernel, list));
          expect(own).toEqual({ ...plain, MPLBACKEND: own.MPLBACKEND, ...markIn(own) });
          const child = await printed(kernel, "import subprocess; subprocess.run(['env']);");
          expect(
            child
              .trim()
              .split("\n")
              .filter((line) => !/^(PATH|ONLY|MPLBACKEND|LC_CTYPE|PWD|GRANARY_KERNEL|_)=/.test(line)),
          ).toEqual([]);
        },
        { env },
      );
    });

    test("has children that handle signals as children do", async () => {
      await withRunner(python.path, async (kernel) => {
        const ask = "import signal; print([signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)])";
        const plain = execFileSync(python.path, ["-c", ask], { encoding: "utf8" });
        const cell = `import subprocess, sys; print(subprocess.check_output([sys.executable, "-c", ${JSON.stringify(ask)}], text=True), end="")`;
        const withoutAddresses = (text: string): string => text.replace(/ at 0x\w+/g, "");
        expect(withoutAddresses(await printed(kernel, cell))).toBe(withoutAddresses(plain));
      });
    });
  });
}

describe("a kernel keeps to itself", () => {
  test.skipIf(!isLinux)("it opens no port for any cell", async () => {
    await withRunner(newestPython().path, async (kernel) => {
      for (const cell of ["1", "await __import__('asyncio').sleep(0)", "print('x')", "display(1)"])
        await run(kernel, cell);
      expect(portsOf(kernel.info.pid as number)).toEqual([]);
      // The check itself notices a port.
      await run(kernel, "import socket\nserver = socket.create_server(('127.0.0.1', 0))");
      expect(portsOf(kernel.info.pid as number).length).toBe(1);
    });
  });

  test("it leaves nothing in the temporary folder, neither while it runs nor afterwards", async () => {
    const folder = temporaryFolder();
    const temporary = `${folder}/tmp`;
    mkdirSync(temporary);
    try {
      await withRunner(
        newestPython().path,
        async (kernel) => {
          for (const cell of ["1", "print('x')", "display(1)", "1/0"]) await run(kernel, cell);
          expect(readdirSync(temporary)).toEqual([]);
          const spawn =
            "import multiprocessing\ndef f(): pass\np = multiprocessing.get_context('spawn').Process(target=f)\np.start(); p.join()";
          expect((await run(kernel, spawn)).outcome).toBe("ok");
        },
        { cwd: folder, env: { ...plainEnvironment, TMPDIR: temporary } },
      );
      expect(readdirSync(temporary)).toEqual([]);
      expect(readdirSync(folder)).toEqual(["tmp"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.skipIf(!isLinux)("the host has as many open descriptors after twenty kernels as before", async () => {
    const openDescriptors = (): string[] => readdirSync("/proc/self/fd");
    // What is opened once and for all, a second after the first kernel at the latest.
    await withRunner(newestPython().path, () => sleep(1500));
    const before = openDescriptors().length;
    for (let round = 0; round < 20; round++) {
      const ending = round % 3 === 0 ? "import os; os._exit(1)" : "print('x')";
      await withRunner(newestPython().path, (kernel) => run(kernel, ending).catch(() => undefined));
    }
    await until("the descriptors are closed", () => openDescriptors().length <= before);
  });

  test("kernels side by side do not disturb each other", async () => {
    const kernels = await Promise.all(Array.from({ length: 4 }, () => startRunner(newestPython().path)));
    try {
      const outputs = await Promise.all(
        kernels.map((kernel, i) => printed(kernel, `name = ${i}\nfor _ in range(1000): print(name)`)),
      );
      expect(outputs).toEqual(kernels.map((_, i) => `${i}\n`.repeat(1000)));
      const [first, ...others] = kernels as [Kernel, ...Kernel[]];
      const cells = others.map((kernel) => printed(kernel, "import time; time.sleep(0.2); print('undisturbed')"));
      const interrupted = run(first, "while True: pass");
      await first.interrupt();
      expect((await interrupted).outcome).toBe("interrupted");
      expect(await Promise.all(cells)).toEqual(others.map(() => "undisturbed\n"));
    } finally {
      await Promise.all(kernels.map((kernel) => kernel.close()));
    }
  });
});

async function withRunner(
  python: string,
  story: (kernel: Kernel) => Promise<unknown>,
  options: Parameters<typeof startRunner>[1] = {},
): Promise<void> {
  const kernel = await startRunner(python, options);
  try {
    await story(kernel);
  } finally {
    await kernel.close();
  }
}

/** By which Granary finds the kernel's processes, where the system shows environments. */
function markIn({ GRANARY_KERNEL: mark }: Readonly<Record<string, string>>): object {
  if (process.platform !== "linux") return {};
  expect(mark).toMatch(/^[0-9a-f]{16}\.\d+$/);
  return { GRANARY_KERNEL: mark };
}
