import { interruptWhenReady, printed, run, runAndWhenReady } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { groupMembers } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { interruptibleCells } from "./interruptible-cells.ts";

export function describeInterrupts({ test }: Contract): void {
  describe("an interrupt", () => {
    for (const [what, code] of Object.entries(interruptibleCells)) {
      test(`ends ${what}, and the variables stay`, async (kernel) => {
        await run(kernel, "kept = 'kept'");
        const interrupted = await interruptWhenReady(kernel, `print("ready", flush=True)\n${code}`);
        expect(interrupted.outcome).toBe("interrupted");
        expect(interrupted.error?.name).toBe("KeyboardInterrupt");
        expect(kernel.state).toBe("idle");
        expect(await printed(kernel, "print(kept)")).toBe("kept\n");
      });
    }

    test("shows the line that was running", async (kernel) => {
      const { error } = await interruptWhenReady(
        kernel,
        "print('ready', flush=True)\nwhile True: pass  # round and round",
      );
      expect(error?.traceback).toContain("while True: pass  # round and round");
    });

    test("runs the cell's own clean-up, also one that awaits", async (kernel) => {
      const plain = py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(60)
        finally:
            print("cleaned up")
      `;
      expect((await interruptWhenReady(kernel, plain)).stdout).toContain("cleaned up");
      const awaiting = py`
        import asyncio
        try:
            print("ready", flush=True)
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.02)
            print("cleaned up")
      `;
      const { stdout, outcome } = await interruptWhenReady(kernel, awaiting);
      expect(stdout).toContain("cleaned up");
      expect(outcome).toBe("interrupted");
    });

    test("is raised exactly once, also while the cell takes a second to clean up", async (kernel) => {
      const cell = py`
        import time
        hits = 0
        try:
            print("ready", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            hits += 1
            try:
                time.sleep(1)
            except KeyboardInterrupt:
                hits += 1
        print("hits:", hits)
      `;
      const { stdout, outcome } = await interruptWhenReady(kernel, cell);
      expect(stdout).toContain("hits: 1");
      expect(outcome).toBe("ok");
    });

    test("that a cell catches lets the cell continue to its end", async (kernel) => {
      const cell = py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            caught = True
        "went on"
      `;
      const { outcome, result } = await interruptWhenReady(kernel, cell);
      expect(outcome).toBe("ok");
      expect(result).toEqual({ "text/plain": "'went on'" });
    });

    test("asked for twice at once is one interrupt", async (kernel) => {
      const cell = py`
        import time
        hits = 0
        for _ in range(2):
            try:
                print("ready", flush=True)
                time.sleep(0.3)
            except KeyboardInterrupt:
                hits += 1
        hits
      `;
      let both: Promise<unknown> | undefined;
      const { result } = await runAndWhenReady(kernel, cell, () => {
        both = Promise.all([kernel.interrupt(), kernel.interrupt()]);
      });
      await both;
      expect(result).toEqual({ "text/plain": "1" });
    });

    test("while nothing runs does nothing, then and later", async (kernel) => {
      await run(kernel, "x = 1");
      await kernel.interrupt();
      expect(await printed(kernel, "import time\ntime.sleep(0.05)\nprint(x)")).toBe("1\n");
    });

    test("asked for before the cell has begun ends it before its first line", async (kernel) => {
      const cell = kernel.execute("print('begun')\nwhile True: pass");
      const interrupted = kernel.interrupt();
      const events = [];
      for await (const event of cell) events.push(event);
      await interrupted;
      expect(events.at(-1)).toMatchObject({ type: "done", outcome: "interrupted" });
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("by a signal that was aborted from the start ends the cell before its first line", async (kernel) => {
      const { outcome } = await run(kernel, "import time; time.sleep(60)", { signal: AbortSignal.abort() });
      expect(outcome).toBe("interrupted");
    });

    test("never reaches the next cell, however short the cells are", async (kernel) => {
      for (let round = 0; round < 60; round++) {
        const cell = run(kernel, "x = 1");
        const interrupted = kernel.interrupt();
        expect(["ok", "interrupted"]).toContain((await cell).outcome);
        expect((await run(kernel, "for i in range(2000): pass\ni")).result).toEqual({ "text/plain": "1999" });
        await interrupted;
      }
    });

    test("leaves no child process behind", async (kernel) => {
      const before = groupMembers(kernel.info.pid as number).length;
      const cell = py`
        import subprocess
        children = [subprocess.Popen(["sleep", "61"]) for _ in range(3)]
        print("ready", flush=True)
        for child in children: child.wait()
      `;
      await interruptWhenReady(kernel, cell);
      await until("the children are gone", () => groupMembers(kernel.info.pid as number).length === before);
    });

    test("lets a later top-level await work", async (kernel) => {
      for (let round = 0; round < 3; round++) {
        const cell = "import asyncio\nprint('ready', flush=True)\nawait asyncio.sleep(60)";
        expect((await interruptWhenReady(kernel, cell)).outcome).toBe("interrupted");
        expect((await run(kernel, "await asyncio.sleep(0.001, 'fine')")).result).toEqual({ "text/plain": "'fine'" });
      }
    });

    test("cancels the cell that awaits, not the tasks of earlier cells", async (kernel) => {
      const start = py`
        import asyncio
        ticks = 0
        async def tick():
            global ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1
        task = asyncio.create_task(tick())
      `;
      await run(kernel, start);
      await interruptWhenReady(kernel, "print('ready', flush=True)\nawait asyncio.sleep(60)");
      const { result } = await run(kernel, "before = ticks\nawait asyncio.sleep(0.05)\nticks > before, task.done()");
      expect(result).toEqual({ "text/plain": "(True, False)" });
    });

    test("that Python code sends itself is also an interrupt", async (kernel) => {
      const cell = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)";
      const { outcome, error } = await run(kernel, cell);
      expect(outcome).toBe("interrupted");
      expect(error?.name).toBe("KeyboardInterrupt");
    });
  });
}
