import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CellStack, Kernel } from "../../../src/kernel/kernel.ts";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { printed, type Run, run, runAndWhenReady } from "../collect.ts";
import { py } from "../py.ts";
import { startRunner, temporaryFolder } from "./start-runner.ts";

let kernel: Kernel;

const look = async (): Promise<CellStack> => (await kernel.stack?.()) as CellStack;
const places = ({ frames }: CellStack) => frames.map(({ file, line, source }) => [file, line, source]);

/** Looks from the moment on that the cell has printed "ready" until it has left that line, and interrupts it then. */
async function lookInside(code: string): Promise<{ readonly cell: Run; readonly stack: CellStack }> {
  let looking: Promise<CellStack> | undefined;
  const lookBehind = async (): Promise<CellStack> => {
    for (;;) {
      const stack = await look();
      if (!stack.frames.some(({ source }) => source?.startsWith("print("))) return stack;
    }
  };
  const cell = await runAndWhenReady(kernel, code, () => {
    looking = lookBehind();
    void looking.catch(() => undefined).finally(() => kernel.interrupt());
  });
  return { cell, stack: (await looking) as CellStack };
}

for (const python of [oldestPython(), newestPython()]) {
  describe(`the stack of a running cell, on Python ${python.version}`, () => {
    let folder: string;
    beforeEach(async () => {
      folder = temporaryFolder();
      kernel = await startRunner(python.path, { cwd: folder });
    });
    afterEach(() => kernel.close());

    test("has its lines with their code, the outermost first, and nothing of Granary's", async () => {
      const helper = "import time\ndef wait():\n    print('ready', flush=True)\n    while True: time.sleep(0.01)\n";
      writeFileSync(join(folder, "helper.py"), helper);
      const { cell, stack } = await lookInside("import helper\ndef work():\n    helper.wait()\n\nwork()");
      expect(cell.outcome).toBe("interrupted");
      expect(places(stack)).toEqual([
        ["<cell 1>", 5, "work()"],
        ["<cell 1>", 3, "helper.wait()"],
        [join(folder, "helper.py"), 4, "while True: time.sleep(0.01)"],
      ]);
      expect(stack.lastKnownAt).toBe(null);
    });

    test("of a cell that awaits is that of its coroutines, and of the tasks that they wait for", async () => {
      const { stack } = await lookInside(py`
        import asyncio
        async def download():
            print("ready", flush=True)
            await asyncio.sleep(600)
        async def both():
            await asyncio.get_event_loop().create_task(download())
        await both()
      `);
      expect(places(stack).slice(0, 3)).toEqual([
        ["<cell 1>", 7, "await both()"],
        ["<cell 1>", 6, "await asyncio.get_event_loop().create_task(download())"],
        ["<cell 1>", 4, "await asyncio.sleep(600)"],
      ]);
    });

    test("comes with those of other threads, by their names", async () => {
      const { stack } = await lookInside(py`
        import threading, time
        def crunch():
            while True: time.sleep(0.01)
        threading.Thread(target=crunch, name="worker", daemon=True).start()
        print("ready", flush=True)
        while True: time.sleep(0.01)
      `);
      const worker = stack.threads.find(({ name }) => name === "worker");
      expect(worker?.frames.at(-1)).toMatchObject({ file: "<cell 1>", line: 3, function: "crunch" });
      expect(stack.threads).toHaveLength(1);
    });

    test("is empty between cells", async () => {
      await run(kernel, "1");
      expect(await look()).toEqual({ frames: [], threads: [], lastKnownAt: null });
    });

    test("of deep recursion has the innermost frames", async () => {
      const { stack } = await lookInside(py`
        import time
        def down(n):
            if n: down(n - 1)
            print("ready", flush=True)
            while True: time.sleep(0.01)
        down(500)
      `);
      expect(stack.frames).toHaveLength(100);
      expect(stack.frames.at(-1)).toMatchObject({ line: 5 });
    });

    test("while C code holds Python's lock it is the last one known, and the cell is not disturbed", async () => {
      const gate = join(temporaryFolder(), "gate");
      const holding = py`
        import ctypes, os, time
        os.mkfifo(${JSON.stringify(gate)})
        gate = os.open(${JSON.stringify(gate)}, os.O_RDWR)
        def hold():
            return ctypes.PyDLL(None).read(gate, ctypes.create_string_buffer(1), 1)
        def begin():
            print("ready", flush=True)
            until = time.monotonic() + 0.5
            while time.monotonic() < until: pass
            return hold()
        print(begin())
      `;
      let looking: Promise<CellStack> | undefined;
      const lookUntilHeld = async (): Promise<CellStack> => {
        for (;;) {
          const stack = await look();
          if (stack.lastKnownAt === null) continue;
          await writeFile(gate, "x");
          return stack;
        }
      };
      const cell = await runAndWhenReady(kernel, holding, () => {
        looking = lookUntilHeld();
      });
      expect(cell.stdout).toBe("ready\n1\n");
      const stack = (await looking) as CellStack;
      expect(stack.frames.map(({ file, function: name }) => [file, name]).slice(0, 2)).toEqual([
        ["<cell 1>", "<module>"],
        ["<cell 1>", "begin"],
      ]);
      expect(stack.lastKnownAt).toBeLessThanOrEqual(Date.now());
    });

    test("C code that holds the lock from the cell's beginning leaves nothing known", async () => {
      const gate = join(temporaryFolder(), "gate");
      await run(
        kernel,
        `import ctypes, os\nos.mkfifo(${JSON.stringify(gate)})\nbuffer = ctypes.create_string_buffer(1)`,
      );
      await run(kernel, `gate = os.open(${JSON.stringify(gate)}, os.O_RDWR)\nread = ctypes.PyDLL(None).read`);
      const cell = run(kernel, "read(gate, buffer, 1)");
      const stack = await look();
      await writeFile(gate, "x");
      expect((await cell).outcome).toBe("ok");
      // A very slow machine may have had the time to note something.
      if (stack.lastKnownAt !== null) expect(stack.frames.every(({ file }) => file === "<cell 3>")).toBe(true);
    });

    test("a value that is let go of while its frame is looked at disturbs nothing", async () => {
      const { cell } = await lookInside(py`
        import sys
        sys.setswitchinterval(1e-6)
        class Value:
            def __del__(self): dropped.append(1)
        dropped = []
        def short():
            value = Value()
            return len(dropped)
        print("ready", flush=True)
        while True: short()
      `);
      expect(cell.outcome).toBe("interrupted");
      expect(await printed(kernel, "print(dropped[0])")).toBe("1\n");
    });

    test("no code of the user's runs for it", async () => {
      const { stack } = await lookInside(py`
        import asyncio, threading, time
        asked = []
        class Curious(threading.Thread):
            @property
            def name(self): asked.append("name"); return "mine"
            @name.setter
            def name(self, value): pass
            def run(self):
                while True: time.sleep(0.01)
        class Awaited:
            def __getattr__(self, name): asked.append(name); raise AttributeError(name)
            def __await__(self): return (yield from asyncio.sleep(600).__await__())
        thread = Curious(daemon=True)
        thread.start()
        before = len(asked)
        print("ready", flush=True)
        await Awaited()
      `);
      expect(stack.frames[0]).toMatchObject({ file: "<cell 1>", line: 17 });
      expect(await printed(kernel, "print(asked[before:])")).toBe("[]\n");
    });

    test("a kernel that has ended says so", async () => {
      await kernel.close();
      await expect(look()).rejects.toMatchObject({ code: "kernel-closed" });
    });
  });
}
