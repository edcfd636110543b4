import type { CellAddress } from "./address.ts";

/** `3` counts from 0, anything else is an id; `id:3` is an id that looks like a number. */
export function parseAddress(typed: string): CellAddress {
  if (typed.startsWith("id:")) return typed.slice("id:".length);
  // The notebook checks the range.
  return /^-?\d+$/.test(typed) ? Number(typed) : typed;
}

/**
 * `3,5-8,id`: cells and ranges of them.
 * @param wrong the error for a sentence that explains the problem
 */
export function parseAddresses(typed: string, wrong: (problem: string) => Error): readonly CellAddress[] {
  return typed.split(",").flatMap((part): readonly CellAddress[] => {
    const text = part.trim();
    if (text === "") throw wrong(`expected cells such as 3,5-8, got ${JSON.stringify(typed)}.`);
    const range = /^(\d+)-(\d+)$/.exec(text);
    if (range === null) return [parseAddress(text)];
    const [first, last] = [Number(range[1]), Number(range[2])];
    if (first > last) throw wrong(`${text}: a range begins with the smaller number.`);
    if (last - first > mostCells) throw wrong(`${text}: no notebook has so many cells.`);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

const mostCells = 1_000_000;
