import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { KernelEvent } from "../../../../src/kernel/events.ts";
import { EventQueue } from "../../../../src/support/event-queue.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { startRunner } from "../start-runner.ts";

describe("a queue between a producer that cannot wait and a slow consumer", () => {
  function queue(limit: number): { queue: EventQueue<string>; pressure: boolean[] } {
    const pressure: boolean[] = [];
    const onPressure = (full: boolean): void => void pressure.push(full);
    return { queue: new EventQueue({ limit, weigh: (text) => text.length, onPressure }), pressure };
  }

  const event = (value: string) => ({ done: false, value });
  const end = { done: true, value: undefined };

  test("delivers events in order, queued and awaited ones", async () => {
    const { queue: events } = queue(100);
    events.push("a");
    events.push("b");
    expect([await events.next(), await events.next()]).toEqual([event("a"), event("b")]);
    const next = events.next();
    events.push("c");
    expect(await next).toEqual(event("c"));
  });

  test("asks the producer to pause once above its limit, and to resume once when it is nearly empty", async () => {
    const { queue: events, pressure } = queue(10);
    for (let i = 0; i < 5; i++) events.push("xxxx");
    expect(pressure).toEqual([true]);
    await events.next();
    await events.next();
    expect(pressure).toEqual([true]);
    while (pressure.length === 1) await events.next();
    expect(pressure).toEqual([true, false]);
    events.push("xx");
    expect(pressure).toEqual([true, false]);
  });

  test("delivers what is queued before its end, and then the end for ever", async () => {
    const { queue: events } = queue(10);
    events.push("last");
    events.end();
    events.push("too late");
    expect([await events.next(), await events.next(), await events.next()]).toEqual([event("last"), end, end]);
  });

  test("delivers what is queued before it fails", async () => {
    const { queue: events } = queue(10);
    events.push("last");
    events.end(new Error("the reason"));
    expect(await events.next()).toEqual(event("last"));
    await expect(events.next()).rejects.toThrow("the reason");
  });

  test("wakes a consumer that waits for the end", async () => {
    const { queue: events } = queue(10);
    const next = events.next();
    events.end();
    expect(await next).toEqual(end);
  });
});

describe("a cell whose events are not read", () => {
  const megabytes = 40;
  const flood = `for i in range(${megabytes}): print("x" * 1_000_000)`;

  test("is paused instead of filling the host's memory, and resumes when they are read", async () => {
    const kernel = await startRunner(newestPython().path);
    try {
      const events = kernel.execute(flood)[Symbol.asyncIterator]();
      await events.next();
      const before = memoryInUse();
      await sleep(200);
      expect(memoryInUse() - before).toBeLessThan((megabytes / 2) * 1_000_000);
      expect(kernel.state).toBe("busy");
      expect(await textLength(events)).toBe(megabytes * 1_000_001);
      expect(kernel.state).toBe("idle");
    } finally {
      await kernel.close();
    }
  });

  test("leaves ping and interrupt working", async () => {
    const kernel = await startRunner(newestPython().path);
    try {
      const events = kernel.execute(flood)[Symbol.asyncIterator]();
      await events.next();
      await sleep(100);
      await kernel.ping(AbortSignal.timeout(10_000));
      const interrupted = kernel.interrupt();
      await textLength(events);
      await interrupted;
      expect(kernel.state).toBe("idle");
    } finally {
      await kernel.close();
    }
  });
});

function memoryInUse(): number {
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

async function textLength(events: AsyncIterator<KernelEvent>): Promise<number> {
  let length = 0;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value.type === "stream") length += next.value.text.length;
  }
  return length;
}
