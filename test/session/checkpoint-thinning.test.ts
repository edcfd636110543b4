import fc from "fast-check";
import { expect, test } from "vitest";
import { leastMissed } from "../../src/session/checkpoints/thinning.ts";

test("of many checkpoints, the newest stay, and the older ones lie farther and farther apart", () => {
  expect(keptOf(20, 5)).toEqual([7, 13, 17, 18, 19]);
  expect(keptOf(100, 5)).toEqual([77, 90, 97, 98, 99]);
});

test("the newer half is never dropped, whatever there is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 200 }), (most, cells) => {
      const kept = keptOf(cells, most);
      const newest = Array.from(
        { length: Math.min(Math.floor((most + 1) / 2), cells) },
        (_, index) => cells - 1 - index,
      );
      expect(kept).toEqual(expect.arrayContaining(newest));
    }),
  );
});

function keptOf(cells: number, most: number): readonly number[] {
  let kept: readonly number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    kept = [...kept, cell];
    if (kept.length > most) kept = kept.toSpliced(leastMissed(kept), 1);
  }
  return kept;
}
