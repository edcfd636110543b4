import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallProgress, type ProgressNote } from "../../../src/hosts/mcp/call/call-progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a silent call reports progress at least every five seconds", () => {
  const notes: ProgressNote[] = [];
  using _ = new CallProgress((note) => void notes.push(note));
  vi.advanceTimersByTime(60_000);
  const times = [0, ...notes.map(({ progress }) => progress)];
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  expect(notes.length).toBeGreaterThanOrEqual(12);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5);
  expect(Math.min(...gaps)).toBeGreaterThan(0);
  expect(notes[0]?.message).toBe("Running for 4 s.");
});

test("a call that prints all the time reports twice a second, with the end of its output", () => {
  const notes: ProgressNote[] = [];
  using progress = new CallProgress((note) => void notes.push(note));
  for (let line = 1; line <= 1000; line++) {
    progress.update(`line ${line}\n`);
    vi.advanceTimersByTime(10);
  }
  expect(notes.length).toBeGreaterThanOrEqual(18);
  expect(notes.length).toBeLessThanOrEqual(22);
  vi.advanceTimersByTime(500);
  expect(notes.at(-1)?.message).toBe("line 1000");
});

test("a long output is reported by its end", () => {
  const notes: ProgressNote[] = [];
  using progress = new CallProgress((note) => void notes.push(note));
  progress.update(`${"é".repeat(5000)} the end`);
  vi.advanceTimersByTime(0);
  expect(notes[0]?.message).toMatch(/é the end$/);
  expect(Buffer.byteLength(notes[0]?.message ?? "")).toBeLessThanOrEqual(1500);
});

test("nothing is reported after the end of a call", () => {
  const notes: ProgressNote[] = [];
  const progress = new CallProgress((note) => void notes.push(note));
  progress.update("last words");
  progress[Symbol.dispose]();
  vi.advanceTimersByTime(60_000);
  expect(notes).toEqual([]);
});

test("a progress bar is sent as text, with the estimated seconds in all", () => {
  const notes: ProgressNote[] = [];
  using progress = new CallProgress((note) => void notes.push(note));
  progress.update("epoch 3", [{ title: "train", done: 40, total: 100, perSecond: 10, secondsLeft: 6 }]);
  vi.advanceTimersByTime(1000);
  expect(notes[0]?.message).toBe("train: 40 of 100, 10/s, 6 s left\nepoch 3");
  expect(notes[0]?.total).toBe((notes[0]?.progress ?? 0) + 6);
});
