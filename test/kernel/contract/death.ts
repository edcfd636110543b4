import { KernelError } from "../../../src/kernel/errors.ts";
import type { ExitReport } from "../../../src/kernel/kernel.ts";
import { isStopped } from "../../../src/support/process/process-state.ts";
import { printed, run, runToDeath } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { groupMembers, isRunning } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";

export function describeDeath({ test }: Contract): void {
  describe("leaving and dying", () => {
    test("sys.exit() and exit() end the cell, not the kernel", async (kernel) => {
      await run(kernel, "kept = 'kept'");
      for (const cell of ["import sys; sys.exit()", "sys.exit(0)", "exit()", "quit()", "raise SystemExit"]) {
        const { outcome, stdout } = await run(kernel, `print('before')\n${cell}\nprint('after')`);
        expect({ cell, outcome, stdout }).toEqual({ cell, outcome: "ok", stdout: "before\n" });
      }
      expect(await printed(kernel, "print(kept)")).toBe("kept\n");
    });

    test("sys.exit with a failure is an error of the cell, not the end of the kernel", async (kernel) => {
      const numbered = await run(kernel, "import sys; sys.exit(3)");
      expect(numbered.outcome).toBe("error");
      expect(numbered.error).toMatchObject({ name: "SystemExit", message: "3" });
      const explained = await run(kernel, "sys.exit('not today')");
      expect(explained.error).toMatchObject({ name: "SystemExit", message: "not today" });
      expect(await printed(kernel, "print('fine')")).toBe("fine\n");
    });

    test("exit() does not take input and children's stdin away from later cells", async (kernel) => {
      await run(kernel, "exit()");
      expect(await printed(kernel, "import sys; print(repr(sys.stdin.read()))")).toBe("''\n");
      expect(await printed(kernel, "import subprocess; print(subprocess.run('cat').returncode)")).toBe("0\n");
      expect((await run(kernel, "input()", { answer: async () => "x" })).result).toEqual({ "text/plain": "'x'" });
    });

    test("os._exit is reported with its exit code, and the kernel is dead", async (kernel) => {
      const { exit } = await deathBy(kernel, "import os; os._exit(3)");
      expect(exit).toMatchObject({ expected: false, exitCode: 3, signal: null });
      expect(exit.summary).toContain("3");
    });

    test("os.abort is reported with its signal", async (kernel) => {
      const { exit } = await deathBy(kernel, "import os; os.abort()");
      expect(exit).toMatchObject({ expected: false, exitCode: null, signal: "SIGABRT" });
      expect(exit.summary).toContain("SIGABRT");
    });

    test("a segmentation fault is reported with the line that caused it", async (kernel) => {
      const { exit } = await deathBy(kernel, "import ctypes\ndef boom():\n    ctypes.string_at(0)\nboom()");
      expect(exit.signal).toBe("SIGSEGV");
      expect(exit.stack).toMatch(/line 3 in boom/);
      expect(exit.stack).toMatch(/line 4 in/);
    });

    test("a signal that ends Python from inside is reported", async (kernel) => {
      const { exit } = await deathBy(
        kernel,
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)\nwhile True: pass",
      );
      expect(exit.signal).toBe("SIGTERM");
    });

    test("SIGKILL from outside in the middle of a cell is reported", async (kernel) => {
      const cell = "import time; print('ready', flush=True); time.sleep(60)";
      const { thrown } = await runToDeath(kernel, cell, {
        onEvent: (event) => event.type === "stream" && process.kill(kernel.info.pid as number, "SIGKILL"),
      });
      expect(thrown).toBeInstanceOf(KernelError);
      expect((await kernel.exited).signal).toBe("SIGKILL");
    });

    test("SIGKILL from outside between cells is noticed", async (kernel) => {
      await run(kernel, "1");
      process.kill(kernel.info.pid as number, "SIGKILL");
      const exit = await kernel.exited;
      expect(exit).toMatchObject({ expected: false, signal: "SIGKILL" });
      expect(kernel.state).toBe("dead");
    });

    test("a kernel that died before the cell began says so: the cell can be sent again", async (kernel) => {
      const pid = kernel.info.pid as number;
      process.kill(pid, "SIGSTOP");
      const cell = runToDeath(kernel, "print('never')");
      process.kill(pid, "SIGKILL");
      const { thrown } = await cell;
      expect((thrown as KernelError).details.started).toBe(false);
    });

    test("text printed before the death is still delivered", async (kernel) => {
      const cell = "import os, sys\nprint('out', flush=True)\nprint('err', file=sys.stderr)\nos.abort()";
      const { text, events } = await runToDeath(kernel, cell);
      expect(text).toContain("out\n");
      expect(text).toContain("err\n");
      expect(events.some((event) => event.type === "done")).toBe(false);
    });

    test("text printed before os._exit is delivered without flush", async (kernel) => {
      const { text } = await runToDeath(kernel, "import os\nprint('last words')\nos._exit(1)");
      expect(text).toBe("last words\n");
    });

    test("megabytes printed just before the death are delivered whole", async (kernel) => {
      const { text } = await runToDeath(kernel, "import os\nprint('x' * 5_000_000, flush=True)\nos._exit(1)");
      expect(text.length).toBe(5_000_001);
    });

    test("the report has the last lines of stderr", async (kernel) => {
      const { exit } = await deathBy(kernel, "import os, sys\nprint('out of cheese', file=sys.stderr)\nos._exit(9)");
      expect(exit.lastStderr).toContain("out of cheese");
    });

    test("a dead kernel refuses further cells with a sentence", async (kernel) => {
      await deathBy(kernel, "import os; os._exit(0)");
      const refusal = await run(kernel, "1").then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(KernelError);
      expect((refusal as KernelError).message).toMatch(/\.$/);
      await kernel.interrupt();
    });

    test("a kernel that dies while it is asked something fails the question", async (kernel) => {
      const pid = kernel.info.pid as number;
      process.kill(pid, "SIGSTOP");
      // Until then, one of its threads may answer.
      await until("it is stopped", () => isStopped(pid));
      const question = kernel.ping().then(
        () => "answered",
        (error: unknown) => error,
      );
      process.kill(pid, "SIGKILL");
      expect(await question).toBeInstanceOf(KernelError);
    });

    test("an aborted ping does not wait", async (kernel) => {
      process.kill(kernel.info.pid as number, "SIGSTOP");
      const given = new AbortController();
      const ping = kernel.ping(given.signal).then(
        () => "answered",
        () => "given up",
      );
      given.abort();
      expect(await ping).toBe("given up");
      expect(
        await kernel.ping(given.signal).then(
          () => "answered",
          () => "given up",
        ),
      ).toBe("given up");
      process.kill(kernel.info.pid as number, "SIGCONT");
      await kernel.ping();
    });

    test("children go with the kernel that dies", async (kernel) => {
      const cell = py`
        import os, subprocess
        child = subprocess.Popen(["sh", "-c", "sleep 61; sleep 62"])
        os._exit(1)
      `;
      await runToDeath(kernel, cell);
      const group = kernel.info.pid as number;
      await until("nothing of the kernel is left", () => groupMembers(group).length === 0);
    });

    test("a child that left the process group does not hide the kernel's death", async (kernel, folder) => {
      const cell = py`
        import os, subprocess
        daemon = subprocess.Popen(["sleep", "60"], start_new_session=True)
        open("daemon", "w").write(str(daemon.pid))
        os._exit(4)
      `;
      try {
        const { exit } = await deathBy(kernel, cell);
        expect(exit.exitCode).toBe(4);
      } finally {
        const { readFileSync } = await import("node:fs");
        const daemon = Number(readFileSync(`${folder}/daemon`, "utf8"));
        // On Linux it ends with the kernel.
        if (isRunning(daemon)) process.kill(daemon, "SIGKILL");
      }
    });
  });
}

async function deathBy(
  kernel: Parameters<typeof runToDeath>[0],
  code: string,
): Promise<{ readonly exit: ExitReport; readonly thrown: KernelError }> {
  const { thrown, events } = await runToDeath(kernel, code);
  if (!(thrown instanceof KernelError)) throw thrown;
  expect(thrown.code).toBe("kernel-died");
  expect(thrown.details.started).toBe(true);
  expect(thrown.message).toMatch(/\.$/);
  expect(events[0]?.type).toBe("started");
  expect(kernel.state).toBe("dead");
  const exit = await kernel.exited;
  expect(thrown.details.exit).toEqual(exit);
  return { exit, thrown };
}
