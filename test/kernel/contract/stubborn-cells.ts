import { KernelError } from "../../../src/kernel/errors.ts";
import { interruptWhenReady, printed, run, runAndWhenReady, runToDeath } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { groupMembers } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

const shortGrace = { interruptGraceMs: 300 };

/** Cells that do not end when they are asked to. */
export function describeStubbornCells({ test }: Contract): void {
  describe("a cell that resists an interrupt", () => {
    const stubborn: Record<string, string> = {
      "swallows KeyboardInterrupt": py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(1000)
        except KeyboardInterrupt:
            while True: time.sleep(1)
      `,
      "catches everything in a coroutine": py`
        import asyncio
        try:
            print("ready", flush=True)
            await asyncio.sleep(1000)
        except BaseException:
            while True: await asyncio.sleep(1)
      `,
      "is deep in C code": "print('ready', flush=True)\nsum(range(10 ** 13))",
      "ignores SIGINT and SIGTERM": py`
        import signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready", flush=True)
        while True: time.sleep(1)
      `,
    };

    for (const [what, code] of Object.entries(stubborn)) {
      test(
        `and ${what} is ended with its kernel, and that is said`,
        async (kernel) => {
          let interrupted: Promise<void> | undefined;
          const onEvent = (event: { type: string; text?: string }): void => {
            if (event.type === "stream") interrupted ??= kernel.interrupt();
          };
          const { thrown } = await runToDeath(kernel, code, { onEvent });
          await interrupted;
          expect(thrown).toBeInstanceOf(KernelError);
          expect((thrown as KernelError).code).toBe("kernel-died");
          expect((thrown as KernelError).message).toContain("interrupt");
          expect(kernel.state).toBe("dead");
          expect(groupMembers(kernel.info.pid as number)).toEqual([]);
        },
        shortGrace,
      );
    }

    test(
      "takes its child processes with it when it is ended",
      async (kernel) => {
        const cell = py`
          import subprocess
          child = subprocess.Popen(["sh", "-c", "trap '' INT TERM; sleep 61; sleep 62"])
          print("ready", flush=True)
          sum(range(10 ** 13))
        `;
        await runToDeath(kernel, cell, { onEvent: (event) => event.type === "stream" && void kernel.interrupt() });
        const group = kernel.info.pid as number;
        await until("nothing of the kernel is left", () => groupMembers(group).length === 0);
      },
      shortGrace,
    );

    test("only because the interrupt hit __del__, where Python drops exceptions, is interrupted all the same", async (kernel) => {
      const cell = py`
        class Slow:
            def __del__(self):
                for i in range(200): pass
        print("ready", flush=True)
        while True:
            Slow()
            for i in range(100): pass
      `;
      const { outcome } = await interruptWhenReady(kernel, cell);
      expect(outcome).toBe("interrupted");
    });

    test("with a SIGINT handler of its own gets the signal once, and the next cell is interruptible", async (kernel) => {
      const cell = py`
        import signal, time
        calls = 0
        def mine(*_):
            global calls
            calls += 1
        signal.signal(signal.SIGINT, mine)
        print("ready", flush=True)
        for _ in range(30): time.sleep(0.01)
        calls
      `;
      const { result, outcome } = await interruptWhenReady(kernel, cell);
      expect(outcome).toBe("ok");
      expect(result).toEqual({ "text/plain": "1" });
      const next = await interruptWhenReady(kernel, "print('ready', flush=True)\ntime.sleep(60)");
      expect(next.outcome).toBe("interrupted");
    });

    test("after it went on from breakpoint() is interrupted like any other", async (kernel) => {
      const cell = "import time\nbreakpoint()\nprint('rea' + 'dy', flush=True)\ntime.sleep(60)";
      let interrupted: Promise<void> | undefined;
      const { outcome } = await runAndWhenReady(
        kernel,
        cell,
        () => {
          interrupted = kernel.interrupt();
        },
        { answer: async () => "c" },
      );
      await interrupted;
      expect(outcome).toBe("interrupted");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("with a broken trace function is still reported", async (kernel) => {
      const { events } = await run(
        kernel,
        "import sys\ndef broken(*_): raise ValueError('tracing')\nsys.settrace(broken)\ndef f(): pass\nf()",
      );
      expect(events.at(-1)?.type).toBe("done");
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });
  });
}
