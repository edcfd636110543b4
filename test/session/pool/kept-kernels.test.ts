import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Execution } from "../../../src/session/execution/execution.ts";
import type { PoolOptions } from "../../../src/session/session-pool.ts";
import { PuppetKernels } from "../puppet-kernels.ts";
import { createPool, sessionKey } from "./pool.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

function sessions(options: Partial<PoolOptions>) {
  const kernels = new PuppetKernels();
  const pool = createPool(kernels.start, { maxSessions: 32, idleMs: 24 * hour, ...options });
  return { kernels, pool, session: (id: string) => pool.session(sessionKey(id)) };
}

/** Lets so much time pass, and closing kernels end. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  for (let turns = 0; turns < 50; turns++) await turn();
}

async function running(execution: Execution): Promise<void> {
  for await (const event of execution) if (event.type === "running") return;
}

test("an unused kernel is ended after the idle time, and not before", async () => {
  const { session } = sessions({});
  await session("main").run("count").result;
  await pass(24 * hour - minute);
  expect(session("main").life).toBe("ready");
  await pass(2 * minute);
  expect((await session("main").run("count").result).ledger).toEqual({
    generation: 2,
    state: "restarted",
    reason: "No cell ran for 24 hours.",
  });
});

describe("when memory is short", () => {
  test("idle kernels are ended, the least recently used first, and only as many as it takes", async () => {
    const { kernels, session } = sessions({ isMemoryShort: () => kernels.living.size > 2 });
    for (const id of ["a", "b", "c", "a", "d"]) {
      await session(id).run("count").result;
      await pass(second);
    }
    await pass(2 * minute);
    expect(["a", "b", "c", "d"].map((id) => session(id).life)).toEqual(["ready", "dead", "dead", "ready"]);
    const { ledger, notices } = await session("b").run("count").result;
    expect(ledger.reason).toBe("Memory was short, and this session was unused for longest.");
    expect(notices).toEqual([`Python was restarted: ${ledger.reason} Earlier variables are gone.`]);
  });

  test("a busy kernel is kept, however long its cell runs", async () => {
    const { session } = sessions({ isMemoryShort: () => true });
    const cell = session("busy").run("hang");
    await running(cell);
    await session("idle").run("count").result;
    await pass(hour);
    expect([session("busy").life, session("idle").life]).toEqual(["executing", "dead"]);
    await cell.interrupt();
  });

  test("a kernel that was used within the last minute is kept", async () => {
    const { session } = sessions({ isMemoryShort: () => true });
    await session("main").run("count").result;
    await pass(minute - second);
    expect(session("main").life).toBe("ready");
    await pass(minute);
    expect(session("main").life).toBe("dead");
  });
});
