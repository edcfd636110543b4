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

test("without candidates, nothing is close", () => {
  expect(closest("run", [])).toBe(null);
});
