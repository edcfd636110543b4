import { expect, test } from "vitest";
import { sayException } from "../../src/output/text/say-exception.ts";

test.each([
  ["no such thing", "ValueError: no such thing"],
  ["", "ValueError"],
  ["first\nsecond", "ValueError: first"],
  ["é".repeat(500_000), `ValueError: ${"é".repeat(150)}…`],
])("an exception is said in one line that is not too long", (message, expected) => {
  expect(sayException({ name: "ValueError", message })).toBe(expected);
});
