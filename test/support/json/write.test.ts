import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSpan } from "../../../src/support/json/parse.ts";
import { nbformatStyle } from "../../../src/support/json/style.ts";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { writeJson } from "../../../src/support/json/write.ts";

/** Without the negative zero, which JSON.stringify loses. */
const anyValue = fc
  .jsonValue({ maxDepth: 3, stringUnit: "binary" })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

describe("writing JSON", () => {
  test("in any indentation equals JSON.stringify", () => {
    const style = { ...nbformatStyle, sortsKeys: false };
    fc.assert(
      fc.property(anyValue, fc.constantFrom(" ", "  ", "\t"), (value, indent) => {
        expect(writeJson(value, { ...style, indent }, "")).toBe(JSON.stringify(value, null, indent));
      }),
    );
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(writeJson(value, { ...style, comma: ",", colon: ":" }, null)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("is read back as the same value, even with escaped characters", () => {
    fc.assert(
      fc.property(anyValue, fc.boolean(), (value, escapesNonAscii) => {
        const bytes = Buffer.from(writeJson(value, { ...nbformatStyle, escapesNonAscii }, ""));
        expect(parseSpan(bytes, 0, bytes.length)).toEqual(value);
        if (escapesNonAscii) expect(bytes.toString()).toMatch(/^[\n -~]*$/);
      }),
    );
  });

  test("writes numbers beyond JSON as Python does", () => {
    const value = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
    expect(writeJson(value, nbformatStyle, null)).toBe("[NaN, Infinity, -Infinity, -0.0]");
  });

  test("has no depth limit", () => {
    let deep: JsonValue = [];
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(writeJson(deep, nbformatStyle, null)).toHaveLength(100_002);
  });
});
