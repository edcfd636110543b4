import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { renderJsonLines } from "../../../src/view/output/json-view.ts";
import { visibleWidth } from "../../../src/view/text/styled-text.ts";
import { view } from "../samples.ts";

const noColours = view({ colors: 0 });

/** Levels of a chain of objects. */
function chain(depth: number): JsonValue {
  return depth === 0 ? "end" : { next: chain(depth - 1) };
}

test("two levels and five members of each, and more when expanded: six and twenty", () => {
  expect(renderJsonLines(chain(9), noColours)).toEqual(["{1 key}", "└ next: {1 key}", "  └ next: {1 key}"]);
  expect(renderJsonLines(chain(9), { ...noColours, expanded: true })).toHaveLength(7);
  const many = Array.from({ length: 30 }, (_, at) => at);
  expect(renderJsonLines(many, noColours)).toEqual([
    "[30 items]",
    "├ 0: 0",
    "├ 1: 1",
    "├ 2: 2",
    "├ 3: 3",
    "├ 4: 4",
    "└ … 25 more",
  ]);
  expect(renderJsonLines(many, { ...noColours, expanded: true })).toHaveLength(1 + 20 + 1);
});

test("values without members, and empty members", () => {
  expect(renderJsonLines(null, noColours)).toEqual(["null"]);
  expect(renderJsonLines("a\nb\u001b", noColours)).toEqual(['"a\\nb\\u001b"']);
  expect(renderJsonLines({ a: [], b: {}, c: true, d: -1.5, e: "" }, noColours)).toEqual([
    "{5 keys}",
    "├ a: []",
    "├ b: {}",
    "├ c: true",
    "├ d: -1.5",
    '└ e: ""',
  ]);
});

test("a long text is one row", () => {
  const [, row = ""] = renderJsonLines({ text: "word ".repeat(100) }, { ...noColours, width: 30 });
  expect(row).toBe('└ text: "word word word word …');
});

test("a tree that is broad on every level is limited", () => {
  const broad = (depth: number): JsonValue => Array.from({ length: 20 }, () => (depth === 0 ? 0 : broad(depth - 1)));
  expect(renderJsonLines(broad(3), { ...noColours, expanded: true }).length).toBeLessThan(420);
});

test("every row fits, for any value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.integer({ min: 20, max: 80 }),
      fc.boolean(),
      (value, width, expanded) => {
        for (const row of renderJsonLines(value as JsonValue, view({ width, expanded }))) {
          expect(visibleWidth(row)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});
