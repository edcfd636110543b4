import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSpan } from "../../../src/support/json/parse.ts";
import { PlainRun } from "../../../src/support/json/plain-run.ts";
import { JsonScanner } from "../../../src/support/json/scanner.ts";
import { JsonSyntaxError } from "../../../src/support/json/tokens.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyFormatting, anySketch, print } from "../../notebook/any-json.ts";

describe("scanning JSON", () => {
  test("accepts every formatting of every value, up to its last byte", () => {
    fc.assert(
      fc.property(anySketch(), anyFormatting(), (sketch, formatting) => {
        const text = print(sketch, formatting);
        expect(whatIsWrongWith(text)).toBeNull();
      }),
    );
  });

  test("is as strict as JSON.parse about a text with one character too few or too many", () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat(2),
      add: fc.constantFrom("", ",", '"', "\\", "]", "0", ".", "\n", "e"),
    });
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), damage, (json, { at, cut, add }) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + add + json.slice(place + cut);
        expect(whatIsWrongWith(text) === null).toBe(isJson(text));
      }),
      { numRuns: repetitions(500) },
    );
  });

  test.each([
    ["", "the text ends too early", 0],
    ["[1,]", "expected a value", 3],
    ["[1 2]", 'expected "," or "]"', 3],
    ['{"a" 1}', 'expected ":"', 5],
    ["{a: 1}", "expected a property name in double quotes", 1],
    ['{"a": 1,}', "expected a property name in double quotes", 8],
    ['["a', "this string is never closed", 1],
    ['["a\nb"]', "a control character has to be escaped inside a string", 3],
    ['["\\x"]', "not an escape that JSON knows", 2],
    ['["\\u12g4"]', "not an escape that JSON knows", 2],
    ["[01]", 'expected "," or "]"', 2],
    ["[-]", "expected a digit", 2],
    ["[1.]", "expected a digit", 3],
    ["[nul]", "expected a value", 1],
    ["[undefined]", "expected a value", 1],
    ["-NaN", "expected a digit", 1],
  ])("reports what is wrong with %j, and where", (text, message, offset) => {
    expect(whatIsWrongWith(text)).toMatchObject({ message, offset });
  });

  test("accepts any depth up to its limit", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(whatIsWrongWith(deep(99_999))).toBeNull();
    expect(whatIsWrongWith(deep(100_002))).toMatchObject({ message: "nested more than 100000 levels deep" });
  });

  test("accepts the numbers that Python writes beyond JSON", () => {
    const text = Buffer.from('{"a": [NaN, Infinity, -Infinity, "NaN"], "é": -1.5e-7}');
    expect(whatIsWrongWith(text.toString())).toBeNull();
    expect(parseSpan(text, 0, text.length)).toEqual({
      a: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, "NaN"],
      é: -1.5e-7,
    });
  });

  test("is as strict as JSON.parse about long lists of lines with one byte changed, cut or added", () => {
    const line = fc.string({ unit: fc.constantFrom("a", " ", "é", "\n", '"', "\\", "\t"), maxLength: 20 });
    const lines = fc.array(
      fc.oneof(
        line,
        line.map((text) => `${text}\n`),
      ),
      { minLength: 1, maxLength: 30 },
    );
    const layout = fc.constantFrom<string | number | undefined>(1, 2, 7, "\t", undefined);
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat(2),
      add: fc.constantFrom("", ",", '"', "\\", "]", "x", " ", "\n"),
    });
    fc.assert(
      fc.property(lines, layout, change, fc.boolean(), (list, indent, { at, cut, add }, isLast) => {
        // Long texts take another path than short ones.
        const around = isLast ? ["x".repeat(5000), list] : [list, "x".repeat(5000)];
        const whole = JSON.stringify(around, null, indent);
        expect(whatIsWrongWith(whole)).toBeNull();
        const start = isLast ? whole.length - JSON.stringify(list, null, indent).length : 0;
        const place = start + (at % (JSON.stringify(list, null, indent).length + 1));
        const text = whole.slice(0, place) + add + whole.slice(place + cut);
        expect(whatIsWrongWith(text) === null).toBe(isJson(text));
      }),
      { numRuns: repetitions(2000) },
    );
  });

  test("finds the end of a run of plain bytes from any start", () => {
    const bytes = fc
      .uint8Array({ maxLength: 40 })
      .map((random) => random.map((byte) => (byte % 5 === 0 ? byte : byte | 0x60)));
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 5000), fc.nat(3), fc.nat(60), (random, before, shift, from) => {
        // Long texts take another path than short ones, and unaligned ones another again.
        const memory = Buffer.allocUnsafeSlow(shift + before + random.length).fill("x");
        memory.set(random, shift + before);
        const view = memory.subarray(shift);
        const start = Math.min(Math.max(0, before - 20) + from, view.length);
        const naive = view.findIndex((byte, at) => at >= start && (byte < 0x20 || byte === 0x22 || byte === 0x5c));
        expect(new PlainRun(view).end(start)).toBe(naive === -1 ? view.length : naive);
      }),
      { numRuns: repetitions(500) },
    );
  });
});

function whatIsWrongWith(text: string): JsonSyntaxError | null {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(bytes);
  try {
    scanner.skipValue();
    if (scanner.peek() !== -1) scanner.fail("more text");
    return null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
