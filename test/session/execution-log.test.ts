import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExecutionLog, type Gap, type Logged } from "../../src/session/execution/execution-log.ts";

const limit = 50;

function logOf(artifact: string | null = null): ExecutionLog<string> {
  return new ExecutionLog<string>({ limit, weigh: (text) => text.length, artifact: () => artifact });
}

/** The events of a reader: each by its place, and the number of reported gaps. */
function learned(read: readonly (Logged<string> | Logged<Gap>)[]) {
  const events = new Map<number, string>();
  let missed = 0;
  for (const { index, event } of read) {
    if (typeof event === "string") events.set(index, event);
    else missed += event.events;
  }
  return { events, missed };
}

describe("the log of an execution", () => {
  test("keeps no more than its limit, and the newest event always", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 80 })), (texts) => {
        const log = logOf();
        for (const text of texts) {
          log.append(text);
          expect(log.weight).toBeLessThanOrEqual(Math.max(limit, text.length));
          expect(log.read().at(-1)?.event).toBe(text);
        }
      }),
    );
  });

  test("gives every reader each event once, or a gap, from any place and at any speed", () => {
    const steps = fc.array(fc.oneof(fc.string({ maxLength: 30 }), fc.constant(null)));
    fc.assert(
      fc.property(steps, fc.nat(10), (events, since) => {
        const log = logOf();
        const all: string[] = [];
        const read: (Logged<string> | Logged<Gap>)[] = [];
        let place = since;
        const readOn = (): void => {
          read.push(...log.read(place));
          place = Math.max(place, log.end);
        };
        for (const event of events) {
          if (event === null) readOn();
          else all.push(event);
          if (event !== null) log.append(event);
        }
        readOn();
        const { events: seen, missed } = learned(read);
        expect(seen.size + missed).toBe(Math.max(0, all.length - since));
        for (const [index, event] of seen) expect(event).toBe(all[index]);
      }),
    );
  });

  test("is followed by any number of readers up to its end", async () => {
    const log = logOf();
    const follow = async (): Promise<unknown[]> => {
      const events: unknown[] = [];
      for await (const { event } of log.follow()) events.push(event);
      return events;
    };
    log.append("a");
    const readers = [follow(), follow()];
    log.append("b");
    log.close();
    expect(await Promise.all([...readers, follow()])).toEqual(Array(3).fill(["a", "b"]));
  });

  test("points to where the text of what was dropped can be read", () => {
    const log = logOf("artifact://main-1");
    for (const text of ["x".repeat(30), "y".repeat(30), "z"]) log.append(text);
    const [gap] = log.read();
    expect(gap).toEqual({ index: 0, event: { type: "gap", events: 1, artifact: "artifact://main-1" } });
  });

  test("has nothing beyond its end, and everything from before its beginning", () => {
    const log = logOf();
    log.append("a");
    expect(log.read(7)).toEqual([]);
    expect(log.read(-7)).toEqual([{ index: 0, event: "a" }]);
  });
});
