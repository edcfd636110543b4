import type { NotebookCell } from "../../notebook/cell.ts";
import { type CellAddress, indexOfCell } from "../../notebook/edit/address.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { verifyMarks } from "./verify/verify-marks.ts";

export interface PlannedCell {
  readonly index: number;
  readonly cell: NotebookCell;
  /** Read once: the cell reads its members from its bytes each time. */
  readonly id: string | null;
  readonly source: string;
  /** Null when it runs. */
  readonly whySkipped: string | null;
}

export interface CellSelection {
  /** Only these. */
  readonly cells?: readonly CellAddress[] | undefined;
  /** None before this one. */
  readonly from?: CellAddress | undefined;
}

/** The requested cells as indexes of this notebook; null for all. Unknown ones are an error. */
export function selectCells(notebook: Notebook, { cells, from }: CellSelection): ReadonlySet<NotebookCell> | null {
  if (cells === undefined && from === undefined) return null;
  const first = from === undefined ? 0 : indexOfCell(notebook, from);
  const indexes = cells?.map((address) => indexOfCell(notebook, address)) ?? notebook.cells.keys();
  const chosen = [...indexes].filter((index) => index >= first);
  if (chosen.length === 0 && cells !== undefined && cells.length > 0)
    throw new GranaryError("index-out-of-range", `No cell is left to run: all chosen cells are before cell ${first}.`);
  return new Set(chosen.map((index) => notebook.cells[index] as NotebookCell));
}

/** Every code cell of the notebook, with the reason to skip it, if any. */
export function planCells(notebook: Notebook, purpose: Purpose): readonly PlannedCell[] {
  return notebook.cells.flatMap((cell, index) => {
    if (cell.type !== "code") return [];
    const { id, source } = cell;
    return [{ index, cell, id, source, whySkipped: whySkipped(cell, source, purpose) }];
  });
}

interface Purpose {
  readonly isMeant: (cell: NotebookCell) => boolean;
  /** The run compares outputs, which some cells do not allow. */
  readonly verifies: boolean;
}

export const notAskedFor = "it was not asked for";

function whySkipped(cell: NotebookCell, source: string, { isMeant, verifies }: Purpose): string | null {
  if (!isMeant(cell)) return notAskedFor;
  if (source.trim() === "") return "it is blank";
  if (cell.tags.includes("skip-execution")) return "it has the tag skip-execution";
  if (verifies && verifyMarks(cell).skips) return "it asks not to be verified";
  return null;
}
