import { expect, test } from "vitest";
import { CheckpointPace } from "../../src/session/checkpoints/checkpoint-pace.ts";

test("one slow fork changes nothing; after two, forks take 2 % of the time until one is quick again", () => {
  const pace = new CheckpointPace();
  pace.taken(80, 0);
  expect(pace.whyNot(1)).toBe(null);
  pace.taken(100, 1);
  expect(pace.whyNot(2)).toBe("the last ones took 80 ms, so there is one every 4 s");
  expect(pace.whyNot(4000)).not.toBe(null);
  expect(pace.whyNot(4001)).toBe(null);
  pace.taken(3, 4001);
  expect(pace.whyNot(4002)).toBe(null);
});

test("every cell of a burst has its fork; a loop of thousands spends 2 % of its time on them", () => {
  const pace = new CheckpointPace();
  const forks = (cells: number, from: number): number => {
    let count = 0;
    for (let now = from; now < from + cells; now++) {
      if (pace.whyNot(now) !== null) continue;
      pace.taken(0.3, now);
      count += 1;
    }
    return count;
  };
  expect(forks(100, 0)).toBe(100);
  expect(forks(10_000, 100)).toBeLessThan(600);
  expect(pace.whyNot(10_100)).toBe("there were many in a short time, so they take 2 % of the time now");
  // After a pause, the next burst has them all again.
  expect(forks(100, 30_000)).toBe(100);
});

test("a notebook run has a fork before its first cell, and then one whenever its cells have taken 20 times as long", () => {
  const pace = new CheckpointPace();
  pace.mayBeginSeries(999);
  pace.taken(3, 1000);
  expect(pace.whyNot(1001)).toBe(null);
  expect(pace.whyNot(1259, true)).toBe("the cells of the run since the last one took little time");
  expect(pace.whyNot(1261, true)).toBe(null);
});

test("a short notebook run in a fresh kernel has none: there is little to lose", () => {
  const pace = new CheckpointPace();
  pace.mayBeginSeries(1000);
  expect(pace.whyNot(1100, true)).not.toBe(null);
  expect(pace.whyNot(1201, true)).toBe(null);
});
