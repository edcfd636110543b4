import { expect, test } from "vitest";
import { sayCount, sayTimeLimit } from "../../src/support/say-count.ts";

test.each([
  [0, "0 cells"],
  [1, "1 cell"],
  [2, "2 cells"],
  [1234, "1,234 cells"],
])("%j cells are said as %j", (count, said) => {
  expect(sayCount(count, "cell")).toBe(said);
});

test.each([
  [1000, "1 second"],
  [500, "0.5 seconds"],
  [2000, "2 seconds"],
  [1_200_000, "1200 seconds"],
])("%j milliseconds are said as %j", (milliseconds, said) => {
  expect(sayTimeLimit(milliseconds)).toBe(said);
});
