import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CellClock } from "../../src/session/cell/cell-clock.ts";

describe("a cell's clock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("times out when the cell has been running for that long", () => {
    const clock = new CellClock(1000);
    clock.run();
    vi.advanceTimersByTime(999);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.signal.aborted).toBe(true);
  });

  test("does not count before the cell has begun", () => {
    const clock = new CellClock(1000);
    vi.advanceTimersByTime(5000);
    expect(clock.signal.aborted).toBe(false);
  });

  test("stops while it is paused, and resumes with the remaining time", () => {
    const clock = new CellClock(1000);
    clock.run();
    vi.advanceTimersByTime(600);
    clock.pause();
    vi.advanceTimersByTime(60_000);
    clock.run();
    vi.advanceTimersByTime(399);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.signal.aborted).toBe(true);
  });

  test("a second run or pause has no effect", () => {
    const clock = new CellClock(1000);
    clock.run();
    vi.advanceTimersByTime(600);
    clock.run();
    clock.pause();
    clock.pause();
    vi.advanceTimersByTime(60_000);
    clock.run();
    vi.advanceTimersByTime(400);
    expect(clock.signal.aborted).toBe(true);
  });

  test("does not time out a cell that has ended already", () => {
    const clock = new CellClock(1000, () => true);
    clock.run();
    vi.advanceTimersByTime(1000);
    expect(clock.signal.aborted).toBe(false);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a time-out of %d ms never comes", (timeoutMs) => {
    const clock = new CellClock(timeoutMs);
    clock.run();
    expect(vi.getTimerCount()).toBe(0);
  });
});
