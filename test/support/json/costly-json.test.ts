import { expect, test } from "vitest";
import { isTooCostlyText } from "../../../src/support/json/costly-json.ts";

test("JSON is weighed by its values: a list or an object as 16, another value as 1, text not at all", () => {
  const isTooCostly = (value: unknown): boolean => isTooCostlyText(JSON.stringify(value), 1600);
  expect([isTooCostly(Array(93).fill({})), isTooCostly(Array(95).fill({}))]).toEqual([false, true]);
  expect([isTooCostly(Array(1580).fill(1)), isTooCostly(Array(1600).fill(1))]).toEqual([false, true]);
  expect(isTooCostly('[{,"'.repeat(10_000))).toBe(false);
  expect(isTooCostly({ "[{\\": '[{,\\"'.repeat(10_000) })).toBe(false);
});
