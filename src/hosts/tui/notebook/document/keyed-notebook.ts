import type { NotebookCell } from "../../../../notebook/cell.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";

/**
 * Names a cell for as long as the notebook is open, wherever it goes and whatever becomes of its source. Ids of the file
 * will not do: notebooks before 4.5 have none, and two cells may have the same.
 */
export type CellKey = number;

/** A notebook, and for each of its cells the key by which it is known here. */
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

/** Whether somebody has written something else into it. */
export function saysTheSame(one: NotebookCell, other: NotebookCell): boolean {
  return one === other || (one.type === other.type && one.source === other.source);
}
