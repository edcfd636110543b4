import type { PercentCell } from "./parse-percent-script.ts";

/** For each wanted cell, the index of the matching known cell; undefined for a new one. */
export function recogniseCells(
  known: readonly PercentCell[],
  wanted: readonly PercentCell[],
): readonly (number | undefined)[] {
  const matches = longestCommon(known, wanted);
  let from = 0;
  wanted.forEach((cell, index) => {
    const match = matches[index];
    if (match !== undefined) {
      from = match + 1;
      return;
    }
    // Between two unchanged cells, a cell of the same type is most likely the old one, edited.
    const next = matches.slice(index).find((later) => later !== undefined) ?? known.length;
    const alike = known.findIndex((other, at) => at >= from && at < next && other.type === cell.type);
    if (alike === -1) return;
    matches[index] = alike;
    from = alike + 1;
  });
  return matches;
}

export function isSameCell(one: PercentCell, other: PercentCell): boolean {
  return one.type === other.type && one.source === other.source;
}

/** The longest common sequence of equal cells. */
function longestCommon(known: readonly PercentCell[], wanted: readonly PercentCell[]): (number | undefined)[] {
  const width = wanted.length + 1;
  // lengths[k][w]: how many cells from k and from w on can be matched.
  const lengths = new Uint32Array((known.length + 1) * width);
  const lengthAt = (k: number, w: number) => lengths[k * width + w] as number;
  for (let k = known.length - 1; k >= 0; k--) {
    for (let w = wanted.length - 1; w >= 0; w--) {
      lengths[k * width + w] = isSameCell(known[k] as PercentCell, wanted[w] as PercentCell)
        ? lengthAt(k + 1, w + 1) + 1
        : Math.max(lengthAt(k + 1, w), lengthAt(k, w + 1));
    }
  }
  const matches: (number | undefined)[] = wanted.map(() => undefined);
  for (let k = 0, w = 0; k < known.length && w < wanted.length; ) {
    if (isSameCell(known[k] as PercentCell, wanted[w] as PercentCell)) matches[w++] = k++;
    else if (lengthAt(k + 1, w) >= lengthAt(k, w + 1)) k++;
    else w++;
  }
  return matches;
}
