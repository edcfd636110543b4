import { GranaryError } from "../../support/granary-error.ts";
import type { CellType, FoundCellType, NotebookCell } from "../cell.ts";
import { type MakeId, randomId, unusedIds } from "../edit/cell-id.ts";
import { withAllCells } from "../edit/cell-list.ts";
import { unknownType, withCodeMembers, withSource, withType } from "../edit/change-cell.ts";
import { newCell } from "../edit/new-cell.ts";
import type { Notebook } from "../notebook.ts";
import { parseCellText, type TextCell } from "./parse-cell-text.ts";

/**
 * The notebook that a cell text describes. `cell:N` is the cell with that index, which keeps its id, metadata and
 * outputs; a marker without it, or with a number that is used twice or does not exist, begins a new cell. A cell that
 * the text omits is deleted; but a text without any cell is refused when the notebook has cells.
 */
export function withCellText(
  notebook: Notebook,
  text: string,
  { makeId = randomId }: { readonly makeId?: MakeId } = {},
): Notebook {
  return withCells(notebook, parseCellText(text), makeId);
}

/** The notebook with these cells, in this order. */
export function withCells(notebook: Notebook, wanted: readonly TextCell[], makeId: MakeId): Notebook {
  if (wanted.length === 0 && notebook.cells.length > 0) throw noCells(notebook);
  const unused = new Map(notebook.cells.entries());
  const unusedId = unusedIds(notebook, makeId);
  const cells = wanted.map((textCell) => {
    const { cell: index, type, source } = textCell;
    const cell = index === null ? undefined : unused.get(index);
    if (cell === undefined || index === null) return newCell(notebook, knownType(type), source, unusedId);
    unused.delete(index);
    return changed(notebook, cell, textCell);
  });
  return withAllCells(notebook, cells);
}

function changed(notebook: Notebook, cell: NotebookCell, { type, source }: TextCell): NotebookCell {
  // A percent script writes it as raw.
  const staysUnknown = cell.type === "unknown" && cell.source === source && (type === "unknown" || type === "raw");
  if (staysUnknown) return cell;
  if (cell.type === "unknown") throw unknownType(notebook, cell);
  const rewritten = withSource(notebook, cell, source);
  if (rewritten === cell && cell.type === type) return cell;
  const typed = withType(notebook, rewritten, knownType(type));
  return type === "code" ? withCodeMembers(notebook, typed) : typed;
}

function knownType(type: FoundCellType): CellType {
  if (type !== "unknown") return type;
  throw new GranaryError(
    "invalid-cell-text",
    "[unknown] marks a cell that the notebook has already. Give other cells the type code, markdown or raw.",
  );
}

/** An empty text is most likely the output of a failed command, not a wish to empty the notebook. */
function noCells({ cells }: Notebook): GranaryError {
  const all = cells.length === 1 ? "the notebook's only cell" : `all ${cells.length} cells of the notebook`;
  return new GranaryError(
    "invalid-cell-text",
    `The text has no cells, which would delete ${all}. Nothing was changed. ` +
      "If that is what you want, delete them by index or id instead, with the delete of the notebook command or tool.",
  );
}
