import { expect, test } from "vitest";
import { CheckpointPace } from "../../src/session/checkpoints/checkpoint-pace.ts";

test("one slow fork changes nothing; after two, forks take 2 % of the time until one is quick again", () => {
  const pace = new CheckpointPace(false);
  pace.taken(80, 0);
  expect(pace.whyNot(1)).toBe(null);
  pace.taken(100, 1);
  expect(pace.whyNot(2)).toBe("the last ones took 80 ms, so there is one every 4 s");
  expect(pace.whyNot(4000)).not.toBe(null);
  expect(pace.whyNot(4001)).toBe(null);
  pace.taken(3, 4001);
  expect(pace.whyNot(4002)).toBe(null);
});

test("always means always", () => {
  const pace = new CheckpointPace(true);
  pace.taken(80, 0);
  pace.taken(80, 1);
  expect(pace.whyNot(2)).toBe(null);
});
