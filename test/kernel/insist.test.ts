import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { insist } from "../../src/kernel/insist.ts";
import { deferred } from "../../src/support/deferred.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const graceMs = 5000;
const never = new Promise<void>(() => undefined);

/** Interrupts a cell, and says at which second each attempt came. `reacts` says whether Python reacts to an attempt. */
function interrupted(reacts: (attempt: number) => boolean) {
  const over = deferred<void>();
  const seconds: number[] = [];
  const begun = Date.now();
  const interrupt = (attempt: number): Promise<void> => {
    seconds.push((Date.now() - begun) / 1000);
    return reacts(attempt) ? Promise.resolve() : never;
  };
  const ending = insist({ over: over.promise, graceMs, interrupt });
  return { over, seconds, ending };
}

describe("a cell that is interrupted", () => {
  test("is left alone for the first half of the grace period, to clean up", async () => {
    const { over, seconds, ending } = interrupted(() => true);
    await vi.advanceTimersByTimeAsync(2499);
    over.resolve();
    expect(await ending).toBe(null);
    expect(seconds).toEqual([0]);
  });

  test("is interrupted again as long as it reacts: after growing pauses, then in quick succession, then no more", async () => {
    const { seconds, ending } = interrupted(() => true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ending).toBe("all caught");
    expect(seconds.slice(0, 6)).toEqual([0, 2.5, 5.5, 9, 9.25, 9.5]);
    expect(seconds).toHaveLength(23);
  });

  test("that does not react at all is given up when the grace period is over", async () => {
    const { seconds, ending } = interrupted(() => false);
    await vi.advanceTimersByTimeAsync(4999);
    expect(seconds).toEqual([0]);
    expect(await Promise.race([ending, "not yet"])).toBe("not yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(await ending).toBe("no reaction");
  });

  test("that stops reacting is given up a grace period after the first failed attempt", async () => {
    const { seconds, ending } = interrupted((attempt) => attempt < 3);
    await vi.advanceTimersByTimeAsync(10_499);
    expect(seconds).toEqual([0, 2.5, 5.5]);
    expect(await Promise.race([ending, "not yet"])).toBe("not yet");
    await vi.advanceTimersByTimeAsync(1);
    expect(await ending).toBe("no reaction");
  });
});
