import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameValue } from "../../../src/support/json/same-value.ts";
import { nbformatStyle } from "../../../src/support/json/style.ts";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { writeJson } from "../../../src/support/json/write.ts";

describe("two values are the same", () => {
  const anyValue = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

  test("when they would be written with the same text, in any order of keys", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        expect(isSameValue(one, JSON.parse(written(one)))).toBe(true);
        expect(isSameValue(one, other)).toBe(written(one) === written(other));
      }),
    );
  });

  test.each<[JsonValue, JsonValue, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined } as unknown as JsonValue, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [Number.NaN, Number.NaN, true],
    [0, -0, false],
    [[], {}, false],
    [["a"], { 0: "a" }, false],
    ["1", 1, false],
  ])("%j and %j: %s", (one, other, expected) => {
    expect(isSameValue(one, other)).toBe(expected);
    expect(isSameValue(other, one)).toBe(expected);
  });

  test("at any depth", () => {
    expect(isSameValue(nested(200_000, "x"), nested(200_000, "x"))).toBe(true);
    expect(isSameValue(nested(200_000, "x"), nested(200_000, "y"))).toBe(false);
  });
});

function written(value: JsonValue): string {
  return writeJson(value, nbformatStyle, null);
}

function nested(depth: number, innermost: JsonValue): JsonValue {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
