import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallDispatcher } from "../../src/bridge/call-dispatcher.ts";
import type { KernelCall } from "../../src/kernel/host-call.ts";
import { runCell } from "../../src/session/cell/run-cell.ts";
import { deferred } from "../../src/support/deferred.ts";
import { interrupted, scriptedKernel } from "../session/scripted-kernel.ts";

const call = (onMainThread = true): KernelCall => ({
  name: "read",
  args: {},
  signal: new AbortController().signal,
  onMainThread,
});

describe("the clock of a cell", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("pauses while a tool runs for it, and resumes with the remaining time", async () => {
    const answers = [deferred<{ text: string }>(), deferred<{ text: string }>()];
    let asked = 0;
    const dispatcher = new CallDispatcher(() => (answers[asked++] as (typeof answers)[number]).promise);
    const makesCalls = deferred<void>();
    const kernel = scriptedKernel(async function* (options) {
      await makesCalls.promise;
      const calls = [dispatcher.answer(call()), dispatcher.answer(call(false))];
      await vi.advanceTimersByTimeAsync(60_000);
      answers[0]?.resolve({ text: "first" });
      await calls[0];
      await vi.advanceTimersByTimeAsync(60_000);
      expect(options.signal?.aborted).toBe(false);
      answers[1]?.resolve({ text: "second" });
      await calls[1];
      await vi.advanceTimersByTimeAsync(999);
      expect(options.signal?.aborted).toBe(false);
      const stopped = interrupted(options);
      await vi.advanceTimersByTimeAsync(1);
      await stopped;
      yield { type: "clock", running: true };
    });
    makesCalls.resolve();
    const verdict = await runCell(kernel, "", {
      signal: new AbortController().signal,
      time: { leftMs: 1000 },
      calls: dispatcher,
      onEvent: () => {},
    });
    expect(verdict.status).toBe("timeout");
  });

  test("ignores a call that began before the cell", async () => {
    const dispatcher = new CallDispatcher(() => new Promise(() => {}));
    void dispatcher.answer(call(false));
    const told: boolean[] = [];
    dispatcher.cellBegins((running) => told.push(running));
    expect(told).toEqual([]);
    void dispatcher.answer(call(false));
    expect(told).toEqual([false]);
  });

  test("is not affected by a call that outlives the cell", async () => {
    const answer = deferred<{ text: string }>();
    const dispatcher = new CallDispatcher(() => answer.promise);
    const told: boolean[] = [];
    dispatcher.cellBegins((running) => told.push(running));
    const outliving = dispatcher.answer(call(false));
    dispatcher.cellEnds();
    answer.resolve({ text: "late" });
    expect(await outliving).toEqual({ text: "late" });
    expect(told).toEqual([false]);
  });
});

describe("an interrupt", () => {
  test("ends the calls of threads at once, even where the tool ignores the signal", async () => {
    const signals: AbortSignal[] = [];
    const dispatcher = new CallDispatcher(({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const earlier = dispatcher.answer(call(false));
    dispatcher.cellBegins(() => {});
    const ofThread = dispatcher.answer(call(false));
    void dispatcher.answer(call(true));
    dispatcher.cellInterrupted();
    await expect(ofThread).rejects.toMatchObject({ code: "cancelled" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    void earlier;
  });
});
