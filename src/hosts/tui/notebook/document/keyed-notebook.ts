import type { NotebookCell } from "../../../../notebook/cell.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";

/**
 * Identifies a cell while the notebook is open, even when it moves or its source changes. The file's ids
 * do not suffice: notebooks before 4.5 have none, and two cells may have the same.
 */
export type CellKey = number;

/** A notebook with a key for each of its cells. */
export interface KeyedNotebook {
  readonly notebook: Notebook;
  readonly keys: readonly CellKey[];
}

let lastKey = 0;

export function newKey(): CellKey {
  return ++lastKey;
}

export function withKeys(notebook: Notebook): KeyedNotebook {
  return { notebook, keys: notebook.cells.map(newKey) };
}

/** The cells by their keys. */
export function cellsByKey({ notebook, keys }: KeyedNotebook): ReadonlyMap<CellKey, NotebookCell> {
  return new Map(keys.map((key, index) => [key, notebook.cells[index] as NotebookCell]));
}

/** Whether two cells have the same type and source. */
export function saysTheSame(one: NotebookCell, other: NotebookCell): boolean {
  return one === other || (one.type === other.type && one.source === other.source);
}
