import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findAgain, withRunOf } from "../../src/execute/notebook/merge-run.ts";
import type { Notebook } from "../../src/notebook/notebook.ts";
import { code, notebookOf, printed, sources } from "../notebook/notebooks.ts";

const cells = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Some cells, of which the other version has some in another order, some edited, and some new ones. */
const anyVersions = fc.integer({ min: 1, max: 8 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    theirs: fc.array(fc.oneof(fc.constantFrom(...cells(count)), fc.constant("new" as const)), { maxLength: 10 }),
    edited: fc.subarray(cells(count)),
    withIds: fc.boolean(),
  }),
);

describe("a cell in another version of its notebook", () => {
  test("is found if its source is unchanged, and no other cell is taken for it", () => {
    fc.assert(
      fc.property(anyVersions, ({ count, theirs, edited, withIds }) => {
        const order = theirs.filter((cell, at) => cell === "new" || theirs.indexOf(cell) === at);
        const named = (index: number) => (withIds ? { id: `id-${index}` } : {});
        const ours = version(cells(count).map((index) => ({ source: `cell ${index}`, more: named(index) })));
        const other = version(
          order.map((cell, at) =>
            cell === "new"
              ? { source: `new ${at}`, more: withIds ? { id: `new-${at}` } : {} }
              : { source: edited.includes(cell) ? `edited ${cell}` : `cell ${cell}`, more: named(cell) },
          ),
        );
        const expected = cells(count).map((index) => {
          const place = order.indexOf(index);
          if (place === -1) return "gone";
          if (!edited.includes(index)) return place;
          return withIds ? "edited" : "gone";
        });
        expect(findAgain(ours, other)).toEqual(expected);
      }),
    );
  });

  test("without ids, the first of several that say the same is taken for the first", () => {
    const ours = notebookOf([code("x"), code("x"), code("y")]);
    const theirs = notebookOf([code("y"), code("x"), code("new"), code("x")]);
    expect(findAgain(ours, theirs)).toEqual([1, 3, 0]);
  });

  test("gets the outputs, the count and the times, and keeps everything else", () => {
    const execution = { "shell.execute_reply": "2026-01-01T00:00:00.000Z" };
    const ours = notebookOf([code("x", { outputs: [printed("1\n")], execution_count: 4, metadata: { execution } })]);
    const theirs = notebookOf([code("new"), code("x", { metadata: { tags: ["theirs"] } })]);
    const merged = withRunOf(ours, theirs, [0], [1]);
    expect(sources(merged)).toEqual(["new", "x"]);
    expect(merged.cells[1]).toMatchObject({
      executionCount: 4,
      outputs: [printed("1\n")],
      metadata: { tags: ["theirs"], execution },
    });
  });
});

function version(cells: readonly { readonly source: string; readonly more: object }[]): Notebook {
  return notebookOf(
    cells.map(({ source, more }) => code(source, { ...more })),
    5,
  );
}
