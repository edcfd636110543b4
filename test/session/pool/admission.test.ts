import { describe, expect, test } from "vitest";
import type { Execution } from "../../../src/session/execution/execution.ts";
import type { PoolOptions } from "../../../src/session/session-pool.ts";
import { deferred } from "../../../src/support/deferred.ts";
import { PuppetKernels } from "../puppet-kernels.ts";
import { createPool, sessionKey } from "./pool.ts";

/** A pool with so many places, and sessions by their name. */
function places(maxSessions: number, options: Partial<PoolOptions> = {}) {
  const kernels = new PuppetKernels();
  const pool = createPool(kernels.start, { maxSessions, ...options });
  const session = (id: string) => pool.session(sessionKey(id));
  return { kernels, session, pool };
}

async function eventOf(execution: Execution, type: "running" | "waiting"): Promise<unknown> {
  for await (const event of execution) if (event.type === type) return event;
  return null;
}

describe("when all places are taken", () => {
  test("the least recently used idle session makes room, and its next result says so", async () => {
    const { session, kernels } = places(2);
    for (const id of ["a", "b", "a", "c"]) await session(id).run("count").result;
    expect(["a", "b", "c"].map((id) => session(id).life)).toEqual(["ready", "dead", "ready"]);
    expect(kernels.living.size).toBe(2);
    expect((await session("b").run("count").result).ledger).toEqual({
      generation: 2,
      state: "restarted",
      reason: "Another session needed its place, and it was the one unused for longest.",
    });
  });

  test("by busy ones, the next waits and says why, until one is idle", async () => {
    const { session, kernels } = places(2);
    const hanging = [session("a").run("hang"), session("b").run("hang")] as const;
    await Promise.all(hanging.map((each) => eventOf(each, "running")));
    const waits = session("c").run("count");
    expect(await eventOf(waits, "waiting")).toEqual({
      type: "waiting",
      reason:
        "All 2 Python sessions are busy (a, b): this one waits until one is idle. " +
        "The setting python.maxSessions allows more.",
    });
    await hanging[1].interrupt();
    expect((await waits.result).status).toBe("ok");
    expect(kernels.most).toBe(2);
    expect(hanging[0].status).toBe("running");
    await hanging[0].interrupt();
  });

  test("a session that gives up waiting leaves its turn to the next", async () => {
    const { session } = places(1);
    const hanging = session("a").run("hang");
    await eventOf(hanging, "running");
    const [second, third] = [session("b").run("count"), session("c").run("count")];
    await Promise.all([eventOf(second, "waiting"), eventOf(third, "waiting")]);
    await second.interrupt();
    expect(await second.result).toMatchObject({ status: "cancelled", ledger: { generation: 0 } });
    await hanging.interrupt();
    expect((await third.result).status).toBe("ok");
  });

  test("waiting sessions enter in order of arrival", async () => {
    const { session } = places(1);
    const hanging = session("a").run("hang");
    await eventOf(hanging, "running");
    const order: string[] = [];
    const waiting = ["d", "c", "b"].map(async (id) => {
      await session(id).run("count").result;
      order.push(id);
    });
    await hanging.interrupt();
    await Promise.all(waiting);
    expect(order).toEqual(["d", "c", "b"]);
  });

  test("a session that is used again while it makes room gets in line, so there are never too many kernels", async () => {
    const { session, kernels } = places(1);
    await session("a").run("count").result;
    const again = deferred<Execution>();
    session("a").watch(({ to }) => {
      if (to === "shutting down") again.resolve(session("a").run("count"));
    });
    expect((await session("b").run("count").result).status).toBe("ok");
    const { result } = await again.promise;
    expect(await result).toMatchObject({ status: "ok", output: "1\n", ledger: { state: "restarted" } });
    expect(kernels.most).toBe(1);
  });
});

describe("a place is free again", () => {
  test("when a kernel has died", async () => {
    const { session, kernels } = places(1);
    await session("a").run("count").result;
    for (const kernel of kernels.living) kernel.kill();
    expect((await session("b").run("count").result).status).toBe("ok");
  });

  test("when a start has failed", async () => {
    const kernels = new PuppetKernels();
    const pool = createPool(
      async (signal) => {
        if (kernels.started > 0) return kernels.start(signal);
        kernels.started += 1;
        throw new Error("not today");
      },
      { maxSessions: 1 },
    );
    expect((await pool.session(sessionKey("a")).run("count").result).status).toBe("failed");
    expect((await pool.session(sessionKey("b")).run("count").result).status).toBe("ok");
  });

  test("when a session was left", async () => {
    const { session, pool } = places(1);
    await session("a").run("count").result;
    await pool.remove(session("a"));
    const { ledger } = await session("a").run("count").result;
    expect(ledger).toEqual({ generation: 1, state: "alive", reason: null });
  });
});

describe("when there are no file descriptors left", () => {
  const tooMany = (): Error => Object.assign(new Error("spawn EMFILE"), { code: "EMFILE" });

  test("idle sessions are ended, what is shared is restarted, and the start is tried once more", async () => {
    const kernels = new PuppetKernels();
    let recoveries = 0;
    const pool = createPool((signal) => (kernels.living.size < 2 ? kernels.start(signal) : Promise.reject(tooMany())), {
      recover: async () => {
        recoveries += 1;
      },
    });
    const session = (id: string) => pool.session(sessionKey(id));
    await session("a").run("count").result;
    const busy = session("b").run("hang");
    await eventOf(busy, "running");
    expect(await session("c").run("count").result).toMatchObject({ status: "ok", ledger: { state: "alive" } });
    expect(recoveries).toBe(1);
    expect([session("a").life, busy.status]).toEqual(["dead", "running"]);
    await busy.interrupt();
    expect((await session("a").run("count").result).ledger.reason).toBe("Too many files were open.");
  });

  test("even then, the message says what to raise", async () => {
    let tries = 0;
    const pool = createPool(() => {
      tries += 1;
      return Promise.reject(new Error("Python could not be started.", { cause: tooMany() }));
    });
    const { failure } = await pool.session(sessionKey("a")).run("count").result;
    expect(failure).toMatchObject({ code: "exhausted", message: expect.stringContaining("ulimit -n") });
    expect(tries).toBe(2);
  });
});

test("a session that is idle for too long ends its kernel, and a busy one never does", async () => {
  const { session, kernels } = places(4, { idleMs: 1, sweepMs: 1 });
  const hanging = session("busy").run("hang");
  await eventOf(hanging, "running");
  await session("idle").run("count").result;
  await Promise.all([...kernels.living].slice(1).map(({ exited }) => exited));
  expect(hanging.status).toBe("running");
  await hanging.interrupt();
  expect((await session("idle").run("count").result).ledger.reason).toMatch(/^No cell ran for .* minutes\.$/);
});
