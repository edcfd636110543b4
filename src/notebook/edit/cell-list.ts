import { indentAfterNewline, indentOfMembers } from "../../support/json/style.ts";
import type { NotebookCell } from "../cell.ts";
import type { Notebook } from "../notebook.ts";

/** Inserts, removes and moves cells, with the white space and commas between them. Indexes are in range. */

export function withCellAt(notebook: Notebook, index: number, cell: NotebookCell): Notebook {
  if (notebook.cells[index] === cell) return notebook;
  return { ...notebook, cells: notebook.cells.with(index, cell) };
}

export function withCellInserted(notebook: Notebook, index: number, cell: NotebookCell): Notebook {
  const cells = notebook.cells.toSpliced(index, 0, cell);
  if (notebook.cells.length === 0) return { ...notebook, cells, ...spaceAroundOnlyCell(notebook) };
  // The first lead has no comma and stays first, before any cell.
  return { ...notebook, cells, leads: notebook.leads.toSpliced(Math.max(index, 1), 0, leadBetween(notebook)) };
}

export function withCellRemoved(notebook: Notebook, index: number): Notebook {
  const cells = notebook.cells.toSpliced(index, 1);
  if (cells.length === 0) return { ...notebook, cells, leads: [], end: Buffer.alloc(0) };
  return { ...notebook, cells, leads: notebook.leads.toSpliced(Math.max(index, 1), 1) };
}

export function withCellMoved(notebook: Notebook, from: number, to: number): Notebook {
  const cell = notebook.cells[from] as NotebookCell;
  return { ...notebook, cells: notebook.cells.toSpliced(from, 1).toSpliced(to, 0, cell) };
}

/** The space between cells belongs to their places and stays there when cells move. */
export function withAllCells(notebook: Notebook, cells: readonly NotebookCell[]): Notebook {
  const { length } = notebook.cells;
  if (cells.length === length && cells.every((cell, index) => cell === notebook.cells[index])) return notebook;
  if (cells.length === 0) return { ...notebook, cells, leads: [], end: Buffer.alloc(0) };
  const space = length === 0 ? { ...notebook, ...spaceAroundOnlyCell(notebook) } : notebook;
  const between = leadBetween(space);
  return { ...space, cells, leads: cells.map((_, place) => space.leads[place] ?? between) };
}

/** The indentation of the cells' first lines; null when they share a line. */
export function cellIndent(notebook: Notebook): string | null {
  const [first] = notebook.leads;
  if (first !== undefined) return indentAfterNewline(first.toString("latin1"));
  const outer = indentOfMembers(notebook.frame);
  return outer === null ? null : outer + notebook.style.indent;
}

function leadBetween(notebook: Notebook): Buffer {
  const [, second] = notebook.leads;
  if (second !== undefined) return second;
  const indent = cellIndent(notebook);
  return Buffer.from(indent === null ? notebook.style.comma : `,${notebook.style.newline}${indent}`);
}

function spaceAroundOnlyCell(notebook: Notebook): Pick<Notebook, "leads" | "end"> {
  const { newline } = notebook.style;
  const outer = indentOfMembers(notebook.frame);
  if (outer === null) return { leads: [Buffer.alloc(0)], end: Buffer.alloc(0) };
  return { leads: [Buffer.from(newline + cellIndent(notebook))], end: Buffer.from(newline + outer) };
}
