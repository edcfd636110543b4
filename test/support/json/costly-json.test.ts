import { expect, test } from "vitest";
import { isTooCostlyText } from "../../../src/support/json/costly-json.ts";

test("a member of an object weighs more from the 1001st on, wherever that object is", () => {
  const members = (count: number, value: unknown) =>
    Object.fromEntries(
      Array(count)
        .fill(0)
        .map((_, at) => [at, value]),
    );
  const isTooCostly = (value: unknown): boolean => isTooCostlyText(JSON.stringify(value), 5000);
  expect([isTooCostly([members(1050, 1)]), isTooCostly([members(1080, 1)])]).toEqual([false, true]);
  expect(isTooCostly(Array(4).fill(members(999, 1)))).toBe(false);
  const isFarTooCostly = (value: unknown): boolean => isTooCostlyText(JSON.stringify(value), 100_000);
  expect([isFarTooCostly(members(2000, {})), isFarTooCostly(members(3000, {}))]).toEqual([false, true]);
});

test("JSON is weighed by its values: a list or an object as 16, another value as 1, text not at all", () => {
  const isTooCostly = (value: unknown): boolean => isTooCostlyText(JSON.stringify(value), 1600);
  expect([isTooCostly(Array(93).fill({})), isTooCostly(Array(95).fill({}))]).toEqual([false, true]);
  expect([isTooCostly(Array(1580).fill(1)), isTooCostly(Array(1600).fill(1))]).toEqual([false, true]);
  expect(isTooCostly('[{,"'.repeat(10_000))).toBe(false);
  expect(isTooCostly({ "[{\\": '[{,\\"'.repeat(10_000) })).toBe(false);
});
