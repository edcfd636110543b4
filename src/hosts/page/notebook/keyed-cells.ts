import { createHash, randomBytes } from "node:crypto";
import type { NotebookCell } from "../../../notebook/cell.ts";
import { alignCells } from "../../../notebook/diff/align-cells.ts";
import type { Notebook } from "../../../notebook/notebook.ts";

/** A notebook with a key for each of its cells: older notebooks have no ids, and two cells may have the same. */
export interface KeyedCells {
  readonly notebook: Notebook;
  readonly keys: readonly string[];
}

/** The keys of a notebook that was read: those of the cells as they were before, and for new cells, their ids. */
export function keyCells(notebook: Notebook, before: KeyedCells | null): KeyedCells {
  const known = new Map<number, string>();
  if (before !== null) {
    for (const pair of alignCells(before.notebook, notebook)) {
      if (pair.before !== null && pair.after !== null) known.set(pair.after, before.keys[pair.before] as string);
    }
  }
  const taken = new Set(known.values());
  const keys = notebook.cells.map((cell, index) => {
    const key = known.get(index) ?? newCellKey(cell, taken);
    taken.add(key);
    return key;
  });
  return { notebook, keys };
}

/** By its id, so that a browser finds the cell again after a restart of the hub. */
export function newCellKey({ id }: NotebookCell, taken: ReadonlySet<string>): string {
  return id === null || taken.has(`cell-${id}`) ? `new-${randomBytes(6).toString("hex")}` : `cell-${id}`;
}

/** Of type and source. Outputs have no part in it: a run does not get in the way of an edit. */
export function revisionOf({ type, source }: NotebookCell): string {
  return createHash("sha256").update(`${type}\n${source}`).digest("base64url").slice(0, 16);
}

/** Whether two cells are written with the same bytes. */
export function isSameText({ json: one }: NotebookCell, { json: other }: NotebookCell): boolean {
  if (one === other) return true;
  if (one.end - one.start !== other.end - other.start) return false;
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0;
}
