import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/kernel/events.ts";
import { renderJson } from "../../../src/view/output/json-view.ts";
import { visibleWidth } from "../../../src/view/text/styled-text.ts";
import { view } from "../samples.ts";

const noColours = view({ colors: 0 });

/** Levels of a chain of objects. */
function chain(depth: number): JsonValue {
  return depth === 0 ? "end" : { next: chain(depth - 1) };
}

test("two levels and five members of each, and more when expanded: six and twenty", () => {
  expect(renderJson(chain(9), noColours)).toEqual(["{1 key}", "└ next: {1 key}", "  └ next: {1 key}"]);
  expect(renderJson(chain(9), { ...noColours, expanded: true })).toHaveLength(7);
  const many = Array.from({ length: 30 }, (_, at) => at);
  expect(renderJson(many, noColours)).toEqual([
    "[30 items]",
    "├ 0: 0",
    "├ 1: 1",
    "├ 2: 2",
    "├ 3: 3",
    "├ 4: 4",
    "└ … 25 more",
  ]);
  expect(renderJson(many, { ...noColours, expanded: true })).toHaveLength(1 + 20 + 1);
});

test("values without members, and members without anything in them", () => {
  expect(renderJson(null, noColours)).toEqual(["null"]);
  expect(renderJson("a\nb\u001b", noColours)).toEqual(['"a\\nb\\u001b"']);
  expect(renderJson({ a: [], b: {}, c: true, d: -1.5, e: "" }, noColours)).toEqual([
    "{5 keys}",
    "├ a: []",
    "├ b: {}",
    "├ c: true",
    "├ d: -1.5",
    '└ e: ""',
  ]);
});

test("a long text is one row", () => {
  const [, row = ""] = renderJson({ text: "word ".repeat(100) }, { ...noColours, width: 30 });
  expect(row).toBe('└ text: "word word word word …');
});

test("a tree that is broad on every level ends somewhere", () => {
  const broad = (depth: number): JsonValue => Array.from({ length: 20 }, () => (depth === 0 ? 0 : broad(depth - 1)));
  expect(renderJson(broad(3), { ...noColours, expanded: true }).length).toBeLessThan(420);
});

test("every row fits, whatever the value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.integer({ min: 20, max: 80 }),
      fc.boolean(),
      (value, width, expanded) => {
        for (const row of renderJson(value as JsonValue, view({ width, expanded }))) {
          expect(visibleWidth(row)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});
