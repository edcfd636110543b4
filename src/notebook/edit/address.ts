import { GranaryError } from "../../support/granary-error.ts";
import type { Notebook } from "../notebook.ts";

/** Which cell: a number counts from 0, a string is a cell's id. */
export type CellAddress = number | string;

/** The index of the addressed cell. */
export function indexOfCell(notebook: Notebook, address: CellAddress): number {
  const { cells } = notebook;
  if (typeof address === "string") return indexOfId(notebook, address);
  if (Number.isInteger(address) && address >= 0 && address < cells.length) return address;
  const remedy =
    cells.length === 0 ? "the notebook has no cells" : `cells count from 0, and the last is cell ${cells.length - 1}`;
  throw outOfRange(address, cells.length, `There is no cell ${address}: ${remedy}.`);
}

/** An index to insert at; it may be one past the last cell. */
export function indexToInsertAt({ cells }: Notebook, index: number): number {
  if (Number.isInteger(index) && index >= 0 && index <= cells.length) return index;
  const remedy = cells.length === 0 ? "the notebook is empty, so use 0" : `use 0 to ${cells.length}`;
  throw outOfRange(index, cells.length, `A cell cannot be inserted at ${index}: ${remedy}.`);
}

function indexOfId({ cells }: Notebook, id: string): number {
  const found = cells.flatMap((cell, index) => (cell.id === id ? [index] : []));
  const [index] = found;
  if (index === undefined) {
    const hasIds = cells.some((cell) => cell.id !== null);
    const remedy = hasIds ? "Look them up in the notebook, or use an index." : "Its cells have no ids; use an index.";
    throw new GranaryError("unknown-id", `No cell has the id "${id}". ${remedy}`, { details: { id } });
  }
  if (found.length > 1) {
    throw new GranaryError(
      "unknown-id",
      `Cells ${found.join(" and ")} both have the id "${id}". Use an index instead.`,
      { details: { id } },
    );
  }
  return index;
}

function outOfRange(index: number, totalCells: number, message: string): GranaryError {
  return new GranaryError("index-out-of-range", message, { details: { cellIndex: index, totalCells } });
}
