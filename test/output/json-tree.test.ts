import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLimits, jsonTree } from "../../src/output/display/json-tree.ts";
import type { JsonValue } from "../../src/support/json/value.ts";

test("a value that fits a line takes one line, others unfold as far as needed", () => {
  const row = { id: 1, name: "a".repeat(60) };
  expect(jsonTree({ ok: true, rows: [row, row] }).text).toBe(
    [
      "{",
      '  "ok": true,',
      '  "rows": [',
      `    { "id": 1, "name": "${"a".repeat(60)}" },`,
      `    { "id": 1, "name": "${"a".repeat(60)}" }`,
      "  ]",
      "}",
    ].join("\n"),
  );
});

test("parts that are too long, too many or too deep are counted", () => {
  const limits = { depth: 1, members: 2, characters: 5, lines: 100 };
  const value = { long: "x".repeat(1000), deep: { a: "y".repeat(200) }, third: 1 };
  expect(jsonTree(value, limits)).toEqual({
    text: '{\n  "long": "xxxxx"… 995 more characters,\n  "deep": {… 1 key},\n  … 1 more\n}',
    complete: false,
  });
});

test("a complete tree is JSON with the same value, and no tree is longer than its limits", () => {
  const value = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(value, (value) => {
      const { text, complete } = jsonTree(value);
      if (complete) expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(text.split("\n").length).toBeLessThan(jsonLimits.lines + 2 * jsonLimits.depth + 2);
    }),
  );
  const wide = Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => "z".repeat(90)));
  expect(jsonTree(wide).text.split("\n").length).toBeLessThan(140);
});
