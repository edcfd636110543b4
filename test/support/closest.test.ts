import { expect, test } from "vitest";
import { closest } from "../../src/support/closest.ts";

test.each([
  ["maxSesions", "maxSessions"],
  ["max_sessions", "maxSessions"],
  ["idelMinutes", "idleMinutes"],
  ["idleminutes", "idleMinutes"],
  ["colour", null],
  ["", null],
])("%j is closest to %j", (typed, meant) => {
  expect(closest(typed, ["idleMinutes", "maxSessions", "backend"])).toBe(meant);
});

test.each([
  ["x", null],
  ["N", "n"],
  ["m", null],
  ["ns", "n"],
])("of short names, %j is closest to %j: a single letter has nothing in common with another", (typed, meant) => {
  expect(closest(typed, ["n", "region"])).toBe(meant);
});

test("without candidates, nothing is close", () => {
  expect(closest("run", [])).toBe(null);
});
