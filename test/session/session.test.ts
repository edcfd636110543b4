import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { KernelError } from "../../src/kernel/errors.ts";
import { ExecutionCapture } from "../../src/output/execution-capture.ts";
import type { Execution, ExecutionEvent } from "../../src/session/execution/execution.ts";
import type { Life } from "../../src/session/kernel-life/life.ts";
import { startInTime } from "../../src/session/kernel-life/succession.ts";
import type { PoolOptions } from "../../src/session/session-pool.ts";
import type { SharedSession } from "../../src/session/shared-session.ts";
import { deferred } from "../../src/support/deferred.ts";
import { createPool, sessionKey } from "./pool/pool.ts";
import { PuppetKernel, PuppetKernels } from "./puppet-kernels.ts";

function puppets(options: Partial<PoolOptions> = {}) {
  const kernels = new PuppetKernels();
  const pool = createPool(kernels.start, options);
  return { kernels, pool, session: pool.session(sessionKey("main")) };
}

/** Settles when a session enters a state, which may be short. */
function becomes(session: SharedSession, life: Life): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.watch(({ to }) => {
      if (to !== life) return;
      stop();
      resolve();
    });
  });
}

async function running(execution: Execution): Promise<void> {
  for await (const event of execution) if (event.type === "running") return;
}

describe("the queue of a session", () => {
  test("runs one cell at a time, in the order they came", async () => {
    const { session } = puppets();
    const executions = Array.from({ length: 5 }, () => session.run("count"));
    const outputs = await Promise.all(executions.map(async ({ result }) => (await result).output));
    expect(outputs).toEqual(["1\n", "2\n", "3\n", "4\n", "5\n"]);
  });

  test("reports its position to each waiting cell, at every change", async () => {
    const { session } = puppets();
    const first = session.run("hang");
    const [second, third, fourth] = [session.run("count"), session.run("count"), session.run("count")];
    await running(first);
    await third.interrupt();
    await first.interrupt();
    await fourth.result;
    const positions = (execution: Execution) =>
      execution.poll().flatMap(({ event }) => (event.type === "queued" ? [event.position] : []));
    expect([first, second, third, fourth].map(positions)).toEqual([[0], [1], [2], [3, 2, 1]]);
  });

  test("a cell that waits can be cancelled without touching the one that runs", async () => {
    const { session } = puppets();
    const first = session.run("hang");
    const abort = new AbortController();
    const second = session.run("count", { signal: abort.signal });
    await running(first);
    abort.abort();
    expect(await second.result).toMatchObject({ status: "cancelled", attempts: 0, ledger: { state: "alive" } });
    expect(first.status).toBe("running");
    await first.interrupt();
  });

  test("a cell whose caller has gone already never begins", async () => {
    const { session, kernels } = puppets();
    const result = await session.run("count", { signal: AbortSignal.abort() }).result;
    expect(result).toMatchObject({ status: "cancelled", ledger: { generation: 0, state: "lost" } });
    expect(kernels.started).toBe(0);
  });

  test("a signal that outlives many cells is not listened to by those that are over", async () => {
    const { session } = puppets();
    const { signal } = new AbortController();
    for (let count = 0; count < 20; count += 1) await session.run("count", { signal }).result;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a cell that is stopped", () => {
  test("while its kernel starts leaves no kernel, and the next cell gets one", async () => {
    const { session, kernels } = puppets();
    const execution = session.run("count");
    await becomes(session, "provisioning");
    await execution.interrupt();
    expect(await execution.result).toMatchObject({ status: "cancelled", attempts: 0, ledger: { state: "lost" } });
    expect(kernels.living.size).toBe(0);
    expect(await session.run("count").result).toMatchObject({
      status: "ok",
      ledger: { generation: 1, state: "alive" },
    });
  });

  test("midway says so in the ledger, and its kernel continues", async () => {
    const { session } = puppets();
    await session.run("count").result;
    const hanging = session.run("hang");
    await running(hanging);
    await turn();
    await turn();
    await hanging.interrupt();
    expect((await hanging.result).ledger).toEqual({
      generation: 1,
      state: "interrupted",
      reason: "The cell was interrupted.",
    });
    expect(await session.run("count").result).toMatchObject({ output: "2\n", ledger: { state: "alive" } });
  });

  test("by ending its kernel, because it resists, has lost everything, and that is not held against the next", async () => {
    const { session } = puppets();
    const resisting = session.run("resist", { timeoutMs: 1 });
    expect(await resisting.result).toMatchObject({ status: "timeout", cancelled: true, ledger: { state: "lost" } });
    expect(await session.run("die").result).toMatchObject({ attempts: 2, failure: { code: "too-many-restarts" } });
  });

  test("reports its life: executing, interrupted, ready", async () => {
    const { session } = puppets();
    await session.run("count").result;
    const lives: Life[] = [];
    session.watch(({ to }) => lives.push(to));
    const hanging = session.run("hang");
    await running(hanging);
    await hanging.interrupt();
    expect(lives).toEqual(["executing", "interrupted", "ready"]);
  });
});

describe("a kernel that dies", () => {
  test("between cells is replaced before the next, which reports why", async () => {
    const { session, kernels } = puppets();
    await session.run("count").result;
    for (const kernel of kernels.living) kernel.kill();
    const { output, attempts, ledger, notices } = await session.run("count").result;
    expect({ output, attempts, ledger }).toEqual({
      output: "1\n",
      attempts: 1,
      ledger: { generation: 2, state: "restarted", reason: "Python was killed (SIGKILL)." },
    });
    expect(notices).toEqual(["Python was restarted: Python was killed (SIGKILL). Earlier variables are gone."]);
  });

  test("after a cell was sent, but before it began, resends it silently", async () => {
    const { session, kernels } = puppets();
    await session.run("count").result;
    const execution = session.run("count");
    await becomes(session, "executing");
    for (const kernel of kernels.living) kernel.kill();
    expect(await execution.result).toMatchObject({
      status: "ok",
      output: "1\n",
      attempts: 1,
      ledger: { state: "restarted" },
    });
  });

  test("with every start is given up after the second", async () => {
    const kernels = new PuppetKernels();
    const pool = createPool(async (signal) => {
      const kernel = await kernels.start(signal);
      queueMicrotask(() => kernel.kill());
      return kernel;
    });
    const result = await pool.session(sessionKey("main")).run("count").result;
    expect(result).toMatchObject({ status: "failed", attempts: 0, failure: { code: "too-many-restarts" } });
    expect(kernels.started).toBe(2);
  });

  test("between cells is not held against the next cell, which has its two attempts", async () => {
    const { session, kernels } = puppets();
    await session.run("count").result;
    for (const kernel of kernels.living) kernel.kill();
    await turn();
    expect(await session.run("die").result).toMatchObject({ attempts: 2, failure: { code: "too-many-restarts" } });
    expect(await session.run("count").result).toMatchObject({ status: "ok", attempts: 1 });
  });

  test("in per-call mode is never tried again, regardless of python.crashRetry", async () => {
    const { session, kernels } = puppets({ kernelMode: "per-call", crashRetry: "once" });
    const result = await session.run("die").result;
    expect(result).toMatchObject({ status: "failed", attempts: 1, failure: { code: "kernel-died" } });
    expect(kernels.started).toBe(1);
  });

  test("is not tried again when python.crashRetry is never, however often it happens", async () => {
    const { session } = puppets({ crashRetry: "never" });
    for (const generation of [1, 2, 3]) {
      const result = await session.run("die").result;
      expect(result).toMatchObject({
        status: "failed",
        attempts: 1,
        failure: { code: "kernel-died" },
        ledger: { generation, state: "lost" },
      });
    }
  });
});

describe("a start", () => {
  test("that fails is reported with its reason, and the next cell tries again", async () => {
    const kernels = new PuppetKernels();
    let tries = 0;
    const pool = createPool(async (signal) => {
      tries += 1;
      if (tries === 1) throw new KernelError("start-failed", "No Python here.");
      return kernels.start(signal);
    });
    const session = pool.session(sessionKey("main"));
    expect(await session.run("count").result).toMatchObject({
      status: "failed",
      failure: { code: "start-failed", message: "No Python here." },
      ledger: { generation: 0, state: "lost", reason: "No kernel has been started." },
    });
    expect(await session.run("count").result).toMatchObject({ status: "ok", ledger: { state: "alive" } });
  });

  test("that takes too long fails with the setting that allows more, and leaves nothing", async () => {
    const kernels = new PuppetKernels(() => 1_000_000);
    const started: AbortSignal[] = [];
    const pool = createPool(
      async (signal) => {
        started.push(signal);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new KernelError("start-timeout", "Python did not start in time: it was still running slow.py.");
      },
      { startMs: 5 },
    );
    const { failure } = await pool.session(sessionKey("main")).run("count").result;
    expect(failure).toMatchObject({ code: "start-timeout" });
    expect(failure?.message).toBe(
      "Python was not ready within 0.005 seconds (the setting python.startSeconds). " +
        "Python did not start in time: it was still running slow.py.",
    );
    expect(kernels.living.size).toBe(0);
  });

  test("that hangs and ignores its signal is given up, and a kernel that arrives later is closed", async () => {
    const late = deferred<PuppetKernel>();
    const abort = new AbortController();
    const start = startInTime(() => late.promise, abort.signal, 1);
    abort.abort(new Error("Enough."));
    await expect(start).rejects.toThrow("Enough.");
    const kernel = new PuppetKernel(
      1,
      () => 0,
      () => {},
    );
    late.resolve(kernel);
    await kernel.exited;
  });
});

describe("a reset", () => {
  test("is refused while another is under way, but not by the cell that runs after one", async () => {
    const { session } = puppets();
    const first = session.run("hang", { reset: true });
    expect(await session.run("count", { reset: true }).result).toMatchObject({
      status: "failed",
      failure: { code: "reset-in-progress" },
    });
    await running(first);
    const next = session.run("count", { reset: true });
    await first.interrupt();
    expect(await next.result).toMatchObject({ status: "ok", output: "1\n", ledger: { state: "restarted" } });
  });

  test("that is cancelled in the queue leaves the kernel alone", async () => {
    const { session } = puppets();
    await session.run("count").result;
    const hanging = session.run("hang");
    const reset = session.reset();
    await running(hanging);
    await reset.interrupt();
    await hanging.interrupt();
    expect(await session.run("count").result).toMatchObject({ output: "2\n", ledger: { generation: 1 } });
  });
});

describe("closing", () => {
  test("stops the running cell, drops waiting ones, and leaves no kernel", async () => {
    const { session, pool, kernels } = puppets();
    const executions = [session.run("hang"), session.run("count"), session.run("count")];
    await running(executions[0] as Execution);
    await pool.close();
    const results = await Promise.all(executions.map(({ result }) => result));
    expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(kernels.living.size).toBe(0);
  });

  test("in the middle of a start leaves no kernel either", async () => {
    const { session, pool, kernels } = puppets();
    const execution = session.run("count");
    await becomes(session, "provisioning");
    await pool.close();
    expect((await execution.result).status).toBe("cancelled");
    expect(kernels.living.size).toBe(0);
  });

  test("waits for sessions that an owner has just left", async () => {
    const { session, pool, kernels } = puppets();
    await session.run("count").result;
    void pool.remove(session);
    await pool.close();
    expect(kernels.living.size).toBe(0);
  });

  test("is final: later cells are refused with a sentence", async () => {
    const { session, pool, kernels } = puppets();
    await pool.close();
    for (const late of [session, pool.session(sessionKey("main")), pool.session(sessionKey("new"))]) {
      expect(await late.run("count").result).toMatchObject({
        status: "failed",
        failure: { code: "session-closed" },
      });
    }
    expect(kernels.started).toBe(0);
  });

  test("promises no fresh kernel to later cells", async () => {
    const { session, pool } = puppets();
    await session.run("count").result;
    await pool.close();
    const { notices, ledger } = await session.run("count").result;
    expect(ledger.state).toBe("lost");
    expect(notices).toEqual([`Python has ended: ${ledger.reason} Variables are gone.`]);
  });
});

describe("failures of callers stay with them", () => {
  test.each([[undefined], [null], [5], [{}], [{ code: 5 }]])("what is no code is refused: %j", async (wrong) => {
    const { session, kernels } = puppets();
    expect(() => session.run(wrong as never)).toThrow(/^A cell is a string of code, or an object with such a string/);
    expect({ isBusy: session.isBusy, started: kernels.started }).toEqual({ isBusy: false, started: 0 });
  });

  test("a watcher that throws", async () => {
    const { session } = puppets();
    session.watch(() => {
      throw new Error("broken watcher");
    });
    expect((await session.run("count").result).status).toBe("ok");
  });

  test("an event handler that throws ends its cell, not the session", async () => {
    const { session } = puppets();
    const onEvent = (): void => {
      throw new Error("broken screen");
    };
    const result = await session.run("hang", { onEvent }).result;
    expect(result).toMatchObject({ status: "failed", failure: { code: "internal", message: "broken screen" } });
    expect(session.life).not.toBe("executing");
    expect((await session.run("count").result).status).toBe("ok");
  });

  test("a capture that cannot be made, which fails its cell and no other", async () => {
    let isBroken = true;
    const { session } = puppets({
      createCapture: () => {
        if (isBroken) throw new Error("no disk");
        return new ExecutionCapture();
      },
    });
    expect(await session.run("count").result).toMatchObject({ status: "failed", failure: { message: "no disk" } });
    isBroken = false;
    expect((await session.run("count").result).status).toBe("ok");
  });

  test("a kernel that cannot be closed is abandoned", async () => {
    const kernels = new PuppetKernels();
    const pool = createPool(async (signal) => {
      const kernel = await kernels.start(signal);
      kernel.close = () => Promise.reject(new Error("out of reach"));
      return kernel;
    });
    const session = pool.session(sessionKey("main"));
    await session.run("count").result;
    await session.reset().result;
    expect(await session.run("count").result).toMatchObject({ status: "ok", ledger: { generation: 2 } });
  });

  test("a reader that is stuck costs the cell nothing", async () => {
    const { session } = puppets();
    const execution = session.run("count");
    const seen: ExecutionEvent["type"][] = [];
    for await (const event of execution) {
      seen.push(event.type as ExecutionEvent["type"]);
      if (event.type === "queued") await execution.result;
    }
    expect(seen).toEqual(["queued", "running", "text", "over"]);
  });
});
