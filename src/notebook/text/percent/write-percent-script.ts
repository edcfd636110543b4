import type { NotebookCell } from "../../cell.ts";
import { type MakeId, randomId } from "../../edit/cell-id.ts";
import { withAllCells } from "../../edit/cell-list.ts";
import { withCellMetadata } from "../../edit/metadata.ts";
import type { Notebook } from "../../notebook.ts";
import { withCells } from "../write-cell-text.ts";
import { type PercentCell, parsePercentScript } from "./parse-percent-script.ts";
import { inScript, percentCell } from "./percent-script.ts";
import { isSameCell, recogniseCells } from "./recognise-cells.ts";

/**
 * The notebook that a percent script describes. A script has no cell ids, so cells are matched: equal sources
 * first, and between them cells of one type, in order. Matched cells keep id, metadata and outputs.
 */
export function withPercentScript(
  notebook: Notebook,
  script: string,
  { makeId = randomId }: { readonly makeId?: MakeId } = {},
): Notebook {
  const wanted = parsePercentScript(script);
  const known = notebook.cells.map(asPercentCell);
  const matches = recogniseCells(known, wanted);
  const cells = wanted.map(({ type, source }, index) => {
    const cell = matches[index] ?? null;
    const isUnchanged = cell !== null && isSameCell(known[cell] as PercentCell, wanted[index] as PercentCell);
    // A script cannot express everything about a source, such as a newline at its end: if it looks the same, keep it.
    return { type, cell, source: isUnchanged ? (notebook.cells[cell] as NotebookCell).source : source };
  });
  const written = withCells(notebook, cells, makeId);
  return withAllCells(
    written,
    written.cells.map((cell, index) => withCellMetadata(written, cell, (wanted[index] as PercentCell).metadata)),
  );
}

/** A cell after a round trip through a script; a cell that no script can hold is not matched. */
function asPercentCell(cell: NotebookCell, index: number): PercentCell {
  try {
    const [read] = parsePercentScript(percentCell(cell, index));
    if (read !== undefined) return read;
  } catch {
    // Refused because one of its lines is a marker.
  }
  return { type: inScript(cell.type), source: cell.source, metadata: {} };
}
