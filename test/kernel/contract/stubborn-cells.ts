import { KernelError } from "../../../src/kernel/errors.ts";
import { interruptWhenReady, printed, run, runAndWhenReady, runToDeath } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { groupMembers } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

const shortGrace = { interruptGraceMs: 300 };
/** Several interrupts, with pauses that are long enough on a busy machine. */
const patientGrace = { interruptGraceMs: 2000 };

/** Cells that do not end at the first interrupt. */
export function describeStubbornCells({ test }: Contract): void {
  describe("a cell that resists an interrupt", () => {
    const reacting: Record<string, string> = {
      "waits for the threads of a pool": py`
        import time
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(2) as pool:
            futures = [pool.submit(time.sleep, 8) for _ in range(2)]
            print("ready", flush=True)
            futures[0].result()
      `,
      "waits for the processes of a pool": py`
        import multiprocessing, time
        from concurrent.futures import ProcessPoolExecutor
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
            futures = [pool.submit(time.sleep, 20) for _ in range(8)]
            print("ready", flush=True)
            futures[0].result()
            time.sleep(60)
      `,
      "cleans up for too long": py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(1000)
        finally:
            time.sleep(1000)
      `,
      "cleans up for too long in many places": py`
        import time
        def clean_up(depth):
            try:
                if depth: clean_up(depth - 1)
                else: print("ready", flush=True)
                time.sleep(1000)
            finally:
                time.sleep(1000)
        clean_up(2)
      `,
      "continues after KeyboardInterrupt": py`
        import time
        try:
            print("ready", flush=True)
            time.sleep(1000)
        except KeyboardInterrupt:
            while True: time.sleep(1)
      `,
      "catches every KeyboardInterrupt in a loop": py`
        import time
        print("ready", flush=True)
        while True:
            try: time.sleep(1)
            except KeyboardInterrupt: continue
      `,
      "catches every exception while it computes": py`
        def compute():
            while True:
                try:
                    for i in range(1000): pass
                except:
                    pass
        print("ready", flush=True)
        compute()
      `,
      "awaits again after everything": py`
        import asyncio
        try:
            print("ready", flush=True)
            await asyncio.sleep(1000)
        except BaseException:
            while True: await asyncio.sleep(1)
      `,
      "catches everything in a coroutine": py`
        import asyncio
        print("ready", flush=True)
        while True:
            try: await asyncio.sleep(1)
            except BaseException: pass
      `,
      "ignores SIGINT": py`
        import signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("ready", flush=True)
        while True: time.sleep(1)
      `,
    };

    // This one computes through every pause.
    const quicker: Readonly<Record<string, { interruptGraceMs: number }>> = {
      "catches every exception while it computes": { interruptGraceMs: 1000 },
    };

    for (const [what, code] of Object.entries(reacting)) {
      test(
        `and ${what} is interrupted again until it ends, and the variables stay`,
        async (kernel) => {
          await run(kernel, "kept = 'kept'");
          const { outcome, error } = await interruptWhenReady(kernel, code);
          expect({ outcome, name: error?.name }).toEqual({ outcome: "interrupted", name: "KeyboardInterrupt" });
          expect(await printed(kernel, "print(kept)")).toBe("kept\n");
          expect(await printed(kernel, "import sys\nprint(sys.gettrace())")).toBe("None\n");
        },
        quicker[what] ?? patientGrace,
      );
    }

    const stubborn: Record<string, string> = {
      "is deep in C code": "print('ready', flush=True)\nsum(range(10 ** 13))",
      "cleans up in C code for ever": py`
        try:
            print("ready", flush=True)
            while True: pass
        finally:
            sum(range(10 ** 13))
      `,
      "catches every exception in loops within loops": py`
        import time
        print("ready", flush=True)
        while True:
            try:
                while True:
                    try: time.sleep(1)
                    except BaseException: continue
            except BaseException: continue
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

    test("because the interrupt hit __del__, where Python drops exceptions, is still interrupted", async (kernel) => {
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

    test("with a SIGINT handler of its own gets the signal once", async (kernel) => {
      const cell = py`
        import signal, time
        calls = 0
        def mine(*_):
            global calls
            calls += 1
        signal.signal(signal.SIGINT, mine)
        print("ready", flush=True)
        while calls == 0: time.sleep(0.01)
        for _ in range(30): time.sleep(0.01)  # for a second one
        calls
      `;
      const { result, outcome } = await interruptWhenReady(kernel, cell);
      expect(outcome).toBe("ok");
      expect(result).toEqual({ "text/plain": "1" });
    });

    test("because a library has set a SIGINT handler in an earlier cell gets that handler called", async (kernel) => {
      const library = py`
        import signal, time
        jobs = ["one", "two"]
        def cancel_jobs(number, frame):
            jobs.clear()
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGINT, cancel_jobs)
        print(before is signal.default_int_handler, signal.getsignal(signal.SIGINT) is cancel_jobs)
      `;
      expect(await printed(kernel, library)).toBe("True True\n");
      const { outcome } = await interruptWhenReady(kernel, "print('ready', flush=True)\ntime.sleep(60)");
      expect(outcome).toBe("interrupted");
      expect(await printed(kernel, "print(jobs, signal.getsignal(signal.SIGINT) is cancel_jobs)")).toBe("[] True\n");
      await run(kernel, "jobs.append('three')\nsignal.signal(signal.SIGINT, before)");
      expect((await interruptWhenReady(kernel, "print('ready', flush=True)\ntime.sleep(60)")).outcome).toBe(
        "interrupted",
      );
      expect(await printed(kernel, "print(jobs)")).toBe("['three']\n");
    });

    test(
      "because its SIGINT handler only takes notes is interrupted all the same",
      async (kernel) => {
        await run(kernel, "import signal, time\ncalls = []\nsignal.signal(signal.SIGINT, lambda *_: calls.append(1))");
        const { outcome } = await interruptWhenReady(kernel, "print('ready', flush=True)\ntime.sleep(60)");
        expect(outcome).toBe("interrupted");
        expect(await printed(kernel, "print(len(calls) > 0)")).toBe("True\n");
      },
      patientGrace,
    );

    test("after it continued from breakpoint() is interrupted like any other", async (kernel) => {
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
