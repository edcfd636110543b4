import type { CellType } from "./cell.ts";
import type { Notebook } from "./notebook.ts";

/** A line of a cell's source. */
export interface FoundCellLine {
  readonly index: number;
  readonly id: string | null;
  readonly type: CellType;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of all cells in which the pattern is found. */
export function findInCells({ cells }: Notebook, pattern: RegExp): readonly FoundCellLine[] {
  return cells.flatMap(({ id, type, source }, index) =>
    source.split("\n").flatMap((text, at) => {
      pattern.lastIndex = 0;
      return pattern.test(text) ? [{ index, id, type, line: at + 1, text }] : [];
    }),
  );
}
