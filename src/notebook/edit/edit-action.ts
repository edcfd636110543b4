import type { CellType, FoundCellType } from "../cell.ts";
import type { CellAddress } from "./address.ts";

/** The edits of a notebook. Cells count from 0 and may be named by id; lines count from 1. */
export type NotebookEdit =
  | { readonly action: "edit"; readonly cell: CellAddress; readonly content: string; readonly outputs?: OldOutputs }
  | ({ readonly action: "insert"; readonly content: string; readonly cellType?: CellType } & InsertPlace)
  | { readonly action: "delete"; readonly cell: CellAddress }
  /** `to` is the cell's new index, counted after its removal. */
  | { readonly action: "move"; readonly cell: CellAddress; readonly to: number }
  /** `old` has to be in the cell exactly once, unless `all` is set. */
  | {
      readonly action: "replace";
      readonly cell: CellAddress;
      readonly old: string;
      readonly new: string;
      readonly all?: boolean;
      readonly outputs?: OldOutputs;
    }
  | { readonly action: "type"; readonly cell: CellAddress; readonly cellType: CellType }
  /** Outputs and execution counts of one cell, or of all. */
  | { readonly action: "clear"; readonly cell?: CellAddress }
  /** `line` becomes the first line of the second cell. The first keeps id and metadata; neither keeps outputs. */
  | { readonly action: "split"; readonly cell: CellAddress; readonly line: number }
  /** Joins a cell with those after it, two in all unless `count` says more. The first keeps id and metadata. */
  | { readonly action: "merge"; readonly cell: CellAddress; readonly count?: number };

/**
 * Outputs of an older source: `keep` leaves them and the execution count as they are, as every notebook
 * editor does, and sets `outputsAreStale`; `clear` makes the cell look as if it had never run.
 */
export type OldOutputs = "keep" | "clear";

/** By default a cell is inserted at the end. */
export type InsertPlace = { readonly at?: number } | { readonly before: CellAddress } | { readonly after: CellAddress };

export interface EditDetails {
  readonly action: NotebookEdit["action"];
  /** The cell's index; for `delete` its old index; for `clear` of all cells, null. */
  readonly cellIndex: number | null;
  readonly cellType: FoundCellType | null;
  readonly cellId: string | null;
  readonly totalCells: number;
  /** The cell's source after the edit; for `delete`, the deleted source. */
  readonly cellSource: string | null;
  /** False when the notebook was already what the edit makes of it, as when `old` and `new` are the same. */
  readonly changed: boolean;
  /** True when the cell still has the outputs of an older source. */
  readonly outputsAreStale: boolean;
}
