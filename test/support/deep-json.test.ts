import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepestJson, isTooDeep, isTooDeepText, jsonLength, jsonText } from "../../src/support/json/deep-json.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const inObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("JSON of any depth", () => {
  test.each([3_000, 5_000, 100_000])("is written at %d levels", (depth) => {
    for (const text of [nested(depth), inObjects(depth)]) expect(jsonText(JSON.parse(text))).toBe(text);
  });

  test("is written like JSON.stringify, wherever that works", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const deep = JSON.parse(`${"[".repeat(300)}${JSON.stringify(value)}${"]".repeat(300)}`);
        expect(jsonText(value)).toBe(JSON.stringify(value));
        expect(jsonText(deep)).toBe(JSON.stringify(deep));
      }),
    );
  });

  test("is too deep from one level on, as a value and as text, regardless of its strings", () => {
    for (const text of [nested(deepestJson), inObjects(deepestJson)]) {
      expect([isTooDeep(JSON.parse(text)), isTooDeepText(text)]).toEqual([false, false]);
      expect([isTooDeep([JSON.parse(text)]), isTooDeepText(`[${text}]`)]).toEqual([true, true]);
    }
    const brackets = JSON.stringify([nested(1000), `\\"${nested(1000)}`, { "[[[": '"[' }]);
    expect(isTooDeepText(brackets)).toBe(false);
  });

  test("is judged the same as text and as a value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 6 }), (value, deepest) => {
        const isLong = JSON.stringify(value).length > 2 * deepest;
        expect(isLong && isTooDeepText(JSON.stringify(value), deepest)).toBe(isTooDeep(value, deepest));
      }),
    );
  });

  test("that contains itself is too deep, and crashes nothing", () => {
    const circle: unknown[] = [];
    circle.push(circle, circle);
    expect(isTooDeep(circle)).toBe(true);
  });

  test("has a length without making its text", () => {
    const value = { a: ["long ".repeat(1000), 1, null], b: {} };
    expect(jsonLength(value)).toBeGreaterThan(5000);
    expect(jsonLength(value)).toBeLessThan(5200);
    expect(jsonLength(JSON.parse(nested(100_000)))).toBeGreaterThan(100_000);
  });
});
