import type { NotebookCell } from "../cell.ts";
import type { Notebook } from "../notebook.ts";

/** A cell of two versions of a notebook; null where a version lacks it. */
export type CellPair =
  | { readonly before: number; readonly after: number }
  | { readonly before: number; readonly after: null }
  | { readonly before: null; readonly after: number };

/**
 * Matches the cells of two versions: by id, then by equal source, then the remaining cells
 * between two matches, in order. In the order of the later version, with removed cells where they were.
 */
export function alignCells(before: Notebook, after: Notebook): readonly CellPair[] {
  const partners = new Map<number, number>();
  pairByName(before, after, partners, ({ id }) => id);
  pairByName(before, after, partners, ({ type, source }) => `${type} ${source}`);
  pairBetween(before, after, partners);
  return inOrder(before.cells.length, after.cells.length, partners);
}

/** Pairs the cells that have a name in common, the first with the first, the second with the second. */
function pairByName(
  before: Notebook,
  after: Notebook,
  partners: Map<number, number>,
  nameOf: (cell: NotebookCell) => string | null,
): void {
  const waiting = new Map<string, number[]>();
  const taken = new Set(partners.values());
  for (const [index, cell] of before.cells.entries()) {
    const name = partners.has(index) ? null : nameOf(cell);
    if (name === null) continue;
    const others = waiting.get(name);
    if (others === undefined) waiting.set(name, [index]);
    else others.push(index);
  }
  for (const list of waiting.values()) list.reverse();
  for (const [index, cell] of after.cells.entries()) {
    const name = taken.has(index) ? null : nameOf(cell);
    const partner = name === null ? undefined : waiting.get(name)?.pop();
    if (partner !== undefined) partners.set(partner, index);
  }
}

/** A rewritten cell without id: of the same type, after the same cell. */
function pairBetween(before: Notebook, after: Notebook, partners: Map<number, number>): void {
  const taken = new Set(partners.values());
  let next = 0;
  for (const [index, cell] of before.cells.entries()) {
    const partner = partners.get(index);
    if (partner !== undefined) {
      next = partner + 1;
      continue;
    }
    const candidate = after.cells[next];
    const isFree = candidate !== undefined && !taken.has(next);
    if (!isFree || candidate.type !== cell.type || (candidate.id !== null && cell.id !== null)) continue;
    partners.set(index, next);
    next += 1;
  }
}

function inOrder(
  beforeLength: number,
  afterLength: number,
  partners: ReadonlyMap<number, number>,
): readonly CellPair[] {
  const sources = new Map([...partners].map(([from, to]) => [to, from]));
  const removedBehind = new Map<number, number[]>();
  let last = -1;
  for (let index = 0; index < beforeLength; index++) {
    const partner = partners.get(index);
    if (partner !== undefined) last = partner;
    else if (removedBehind.get(last)?.push(index) === undefined) removedBehind.set(last, [index]);
  }
  const pairs: CellPair[] = [];
  const addRemoved = (behind: number) => {
    for (const index of removedBehind.get(behind) ?? []) pairs.push({ before: index, after: null });
  };
  addRemoved(-1);
  for (let index = 0; index < afterLength; index++) {
    pairs.push({ before: sources.get(index) ?? null, after: index });
    addRemoved(index);
  }
  return pairs;
}
