import { sayRange } from "../../support/say-count.ts";

/** A cell whose effects are in the variables, and the one before it. Lines share their beginning, so a checkpoint keeps one at no cost. */
export interface LineCell {
  /** The id of its execution. */
  readonly id: string;
  /** Its place, from 1 at the start of Python. */
  readonly place: number;
  /** The kernel's number for it; null before its end. */
  count: number | null;
  before: LineCell | null;
}

/** Why the effects of cells are gone, or back. `keep`: a branch took the place of the session. `fork`: the session began as a branch. `restart`: a fresh Python. */
export type LineMove = "undo" | "crash" | "keep" | "fork" | "restart";

export interface LineChange {
  readonly undone: readonly LineCell[];
  /** Cells whose effects are there now, and were not before. */
  readonly redone: readonly LineCell[];
}

/** Older ones are forgotten: a program may run a million cells. */
const mostKept = 10_000;

export function nextInLine(before: LineCell | null, id: string): LineCell {
  const cell: LineCell = { id, place: (before?.place ?? 0) + 1, count: null, before };
  if (cell.place % mostKept === 0) forgetBefore(cell);
  return cell;
}

/** The kernel's number for the last cell of a line that has one; 0 without any. */
export function numberOf(line: LineCell | null): number {
  let cell = line;
  while (cell !== null && cell.count === null) cell = cell.before;
  return cell?.count ?? 0;
}

function forgetBefore(cell: LineCell): void {
  let oldest: LineCell | null = cell;
  for (let kept = 1; kept < mostKept && oldest !== null; kept += 1) oldest = oldest.before;
  if (oldest !== null) oldest.before = null;
}

/** The cells that are gone, and those that are back, when variables go from one line to the other; the oldest first. */
export function changeOf(from: LineCell | null, to: LineCell | null): LineChange {
  const undone: LineCell[] = [];
  const redone: LineCell[] = [];
  let old = from;
  let next = to;
  while (old !== next) {
    const oldIsLonger = (old?.place ?? 0) >= (next?.place ?? 0);
    if (old !== null && (oldIsLonger || next === null)) {
      undone.push(old);
      old = old.before;
    } else if (next !== null) {
      redone.push(next);
      next = next.before;
    }
  }
  return { undone: undone.reverse(), redone: redone.reverse() };
}

/** `Cells 4 to 6 were undone.` */
export function sayChange({ undone, redone }: LineChange): string {
  const [gone, back] = [sayCells(undone), sayCells(redone)];
  if (gone === null && back === null) return "Another state was restored.";
  if (gone === null) return `${back?.text} ${back?.isOne ? "is" : "are"} back.`;
  const undid = `${gone.text} ${gone.isOne ? "was" : "were"} undone`;
  return back === null
    ? `${undid}.`
    : `${undid}, and ${back.text.replace("C", "c")} ${back.isOne ? "is" : "are"} back.`;
}

function sayCells(cells: readonly LineCell[]): { readonly text: string; readonly isOne: boolean } | null {
  const counts = cells.flatMap(({ count }) => (count === null ? [] : [count]));
  const [first] = counts;
  const last = counts.at(-1);
  if (first === undefined || last === undefined) return null;
  return first === last
    ? { text: `Cell ${first}`, isOne: true }
    : { text: `Cells ${sayRange(first, last)}`, isOne: false };
}
