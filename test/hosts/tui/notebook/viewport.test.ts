import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Column, scrolled, showing, visibleCells } from "../../../../src/hosts/tui/notebook/paint/viewport.ts";

function column(heights: readonly number[], rows: number): Column {
  return { cells: heights.length, rows, height: (cell) => heights[cell] ?? 0 };
}

/** `0.2` is line 2 of cell 0. */
function seen(scroll: { cell: number; line: number }, of: Column): string[] {
  return [...visibleCells(scroll, of)].flatMap(({ cell, from, to }) =>
    Array.from({ length: to - from }, (_, at) => `${cell}.${from + at}`),
  );
}

const top = { cell: 0, line: 0 };

describe("a selected cell", () => {
  test("does not scroll when it is visible", () => {
    expect(showing(1, top, column([2, 2, 2], 5))).toEqual(top);
  });

  test("scrolls up from below as far as needed", () => {
    const of = column([2, 2, 2], 5);
    expect(seen(showing(2, top, of), of)).toEqual(["0.1", "1.0", "1.1", "2.0", "2.1"]);
  });

  test("is shown from its beginning when it is higher than the screen", () => {
    const of = column([2, 9, 2], 5);
    expect(seen(showing(1, top, of), of)).toEqual(["1.0", "1.1", "1.2", "1.3", "1.4"]);
  });
});

test("scrolling goes through a high cell and stops at both ends", () => {
  const of = column([2, 9, 1], 5);
  expect(seen(scrolled(top, 3, of), of)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5"]);
  expect(seen(scrolled(top, 99, of), of)).toEqual(["1.5", "1.6", "1.7", "1.8", "2.0"]);
  expect(scrolled({ cell: 1, line: 4 }, -99, of)).toEqual(top);
});

test("a notebook of ten thousand cells is measured only where it is visible", () => {
  let asked = 0;
  const of: Column = {
    cells: 10_000,
    rows: 40,
    height: () => {
      asked++;
      return 3;
    },
  };
  const scroll = showing(9_999, top, of);
  expect(seen(scroll, of).at(-1)).toBe("9999.2");
  expect(asked).toBeLessThan(200);
});

test("after any moves, the selected cell is visible, and no row is empty that could be filled", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 });
  const steps = fc.array(fc.oneof(fc.nat(19), fc.integer({ min: -15, max: -1 })), { maxLength: 8 });
  fc.assert(
    fc.property(heights, fc.integer({ min: 1, max: 15 }), steps, (all, rows, moves) => {
      const of = column(all, rows);
      const total = all.reduce((sum, height) => sum + height, 0);
      let scroll = top;
      for (const move of moves) {
        if (move < 0) scroll = scrolled(scroll, move % 2 === 0 ? move : -move, of);
        else {
          const cell = move % all.length;
          scroll = showing(cell, scroll, of);
          expect(seen(scroll, of).some((line) => line.startsWith(`${cell}.`))).toBe(true);
        }
        expect(seen(scroll, of)).toHaveLength(Math.min(rows, total));
      }
    }),
  );
});
