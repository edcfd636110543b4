/** Includes both ends, as in an editor or in HTTP. `last` counts from the end. */
export type Range = Stretch | { readonly last: number };

export interface Stretch {
  readonly from: number;
  /** May be Infinity. */
  readonly to: number;
}

/**
 * Reads `10-20,50-,7,-5`: from 10 to 20, from 50 to the end, 7 alone, the last 5. Null for any other text.
 * @param first the number of the first one: lines are counted from 1, bytes from 0
 */
export function parseRanges(text: string, first: 0 | 1): readonly Range[] | null {
  const ranges = text.split(",").map((part) => parseRange(part.trim(), first));
  return ranges.every((range) => range !== null) ? ranges : null;
}

/** The ranges within `count` elements: in order, without overlaps, and without missing elements. */
export function resolveRanges(ranges: readonly Range[], first: 0 | 1, count: number): readonly Stretch[] {
  const end = count + first - 1;
  const stretches = ranges
    .map((range) => ("last" in range ? { from: end - range.last + 1, to: end } : range))
    .map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, end) }))
    .filter(({ from, to }) => from <= to)
    .sort((a, b) => a.from - b.from);
  const merged: Stretch[] = [];
  for (const { from, to } of stretches) {
    const before = merged.at(-1);
    if (before === undefined || from > before.to + 1) merged.push({ from, to });
    else merged[merged.length - 1] = { from: before.from, to: Math.max(before.to, to) };
  }
  return merged;
}

function parseRange(text: string, first: number): Range | null {
  const match = /^(\d{0,15})(?:(-)(\d{0,15}))?$/.exec(text);
  if (match === null || text === "-" || text === "") return null;
  const [, start = "", dash, stop = ""] = match;
  if (start === "") return Number(stop) > 0 ? { last: Number(stop) } : null;
  const from = Number(start);
  const end = stop === "" ? Number.POSITIVE_INFINITY : Number(stop);
  const to = dash === undefined ? from : end;
  return from >= first && to >= from ? { from, to } : null;
}
