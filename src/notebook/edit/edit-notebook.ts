import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import type { CellType, NotebookCell } from "../cell.ts";
import { cellTypes } from "../cell.ts";
import type { Notebook } from "../notebook.ts";
import { type CellAddress, indexOfCell, indexToInsertAt } from "./address.ts";
import { type MakeId, randomId, unusedIds } from "./cell-id.ts";
import { withCellAt, withCellInserted, withCellMoved, withCellRemoved } from "./cell-list.ts";
import { unknownType, withoutOutputs, withSource, withType } from "./change-cell.ts";
import type { EditDetails, InsertPlace, NotebookEdit, OldOutputs } from "./edit-action.ts";
import { newCell } from "./new-cell.ts";
import { mergedCells, replacedText, splitSource } from "./rewrite-source.ts";

export interface Edited {
  readonly notebook: Notebook;
  readonly details: readonly EditDetails[];
}

/** Applies edits one after the other, each to the result of the one before; all of them, or none when one throws. */
export function editNotebook(
  notebook: Notebook,
  edits: readonly NotebookEdit[],
  { makeId = randomId }: { readonly makeId?: MakeId } = {},
): Edited {
  const details: EditDetails[] = [];
  let current = notebook;
  edits.forEach((edit, index) => {
    try {
      const step = applyEdit(current, edit, makeId);
      details.push(describe(edit.action, step, !hasSameCells(current, step.notebook)));
      current = step.notebook;
    } catch (error) {
      throw edits.length > 1 && isGranaryError(error) ? inSequence(error, index, edits.length) : error;
    }
  });
  return { notebook: current, details };
}

/** A notebook after one edit, and the edited cell. */
interface Step {
  readonly notebook: Notebook;
  readonly index: number | null;
  readonly cell: NotebookCell | null;
  readonly outputsAreStale?: boolean;
}

function applyEdit(notebook: Notebook, edit: NotebookEdit, makeId: MakeId): Step {
  switch (edit.action) {
    case "edit": {
      const content = required(edit.content, "edit");
      return rewriteSource(notebook, edit.cell, () => content, edit.outputs);
    }
    case "replace":
      return rewriteSource(notebook, edit.cell, (source, index) => replacedText(source, edit, index), edit.outputs);
    case "insert": {
      const content = required(edit.content, "insert");
      const index = placeToInsert(notebook, edit);
      const cell = newCell(notebook, knownType(edit.cellType ?? "code"), content, unusedIds(notebook, makeId));
      return { notebook: withCellInserted(notebook, index, cell), index, cell };
    }
    case "delete": {
      const index = indexOfCell(notebook, edit.cell);
      return { notebook: withCellRemoved(notebook, index), index, cell: notebook.cells[index] as NotebookCell };
    }
    case "move": {
      const from = indexOfCell(notebook, edit.cell);
      const to = indexOfCell(notebook, edit.to);
      return { notebook: withCellMoved(notebook, from, to), index: to, cell: notebook.cells[from] as NotebookCell };
    }
    case "type":
      return change(notebook, edit.cell, (cell) => withType(notebook, cell, knownType(edit.cellType)));
    case "clear":
      return edit.cell === undefined
        ? clearAll(notebook)
        : change(notebook, edit.cell, (cell) => withoutOutputs(notebook, cell));
    case "split":
      return split(notebook, edit.cell, edit.line, makeId);
    case "merge":
      return merge(notebook, edit.cell, edit.count ?? 2);
    default:
      throw unknownAction(edit satisfies never);
  }
}

function change(
  notebook: Notebook,
  address: CellAddress,
  changed: (cell: NotebookCell, index: number) => NotebookCell,
): Step {
  const index = indexOfCell(notebook, address);
  const cell = changed(notebook.cells[index] as NotebookCell, index);
  return { notebook: withCellAt(notebook, index, cell), index, cell };
}

function rewriteSource(
  notebook: Notebook,
  address: CellAddress,
  rewrite: (source: string, index: number) => string,
  outputs: OldOutputs = "keep",
): Step {
  let outputsAreStale = false;
  const step = change(notebook, address, (cell, index) => {
    const rewritten = withSource(notebook, cell, rewrite(cell.source, index));
    if (rewritten === cell) return cell;
    if (outputs === "clear") return withoutOutputs(notebook, rewritten);
    outputsAreStale = rewritten.hasOutputs;
    return rewritten;
  });
  return { ...step, outputsAreStale };
}

function clearAll(notebook: Notebook): Step {
  const cells = notebook.cells.map((cell) => withoutOutputs(notebook, cell));
  return { notebook: { ...notebook, cells }, index: null, cell: null };
}

function split(notebook: Notebook, address: CellAddress, line: number, makeId: MakeId): Step {
  const index = indexOfCell(notebook, address);
  const whole = notebook.cells[index] as NotebookCell;
  if (whole.type === "unknown") throw unknownType(notebook, whole);
  const [first, second] = splitSource(whole.source, line, index);
  const cell = withoutOutputs(notebook, withSource(notebook, whole, first));
  const shortened = withCellAt(notebook, index, cell);
  const added = newCell(shortened, whole.type, second, unusedIds(notebook, makeId));
  return { notebook: withCellInserted(shortened, index + 1, added), index, cell };
}

function merge(notebook: Notebook, address: CellAddress, count: number): Step {
  const index = indexOfCell(notebook, address);
  const parts = notebook.cells.slice(index, index + count);
  const unknown = parts.find(({ type }) => type === "unknown");
  if (unknown !== undefined) throw unknownType(notebook, unknown);
  const source = mergedCells(parts, index, count);
  const cell = withoutOutputs(notebook, withSource(notebook, parts[0] as NotebookCell, source));
  let merged = withCellAt(notebook, index, cell);
  for (let more = 1; more < count; more++) merged = withCellRemoved(merged, index + 1);
  return { notebook: merged, index, cell };
}

function placeToInsert(notebook: Notebook, place: InsertPlace): number {
  if ("before" in place) return indexOfCell(notebook, place.before);
  if ("after" in place) return indexOfCell(notebook, place.after) + 1;
  return indexToInsertAt(notebook, place.at ?? notebook.cells.length);
}

function describe(
  action: NotebookEdit["action"],
  { notebook, index, cell, outputsAreStale = false }: Step,
  changed: boolean,
): EditDetails {
  return {
    action,
    cellIndex: index,
    cellType: cell?.type ?? null,
    cellId: cell?.id ?? null,
    totalCells: notebook.cells.length,
    cellSource: cell?.source ?? null,
    changed,
    outputsAreStale,
  };
}

/** An unchanged cell is the same object. */
function hasSameCells({ cells: before }: Notebook, { cells: after }: Notebook): boolean {
  return before.length === after.length && before.every((cell, index) => cell === after[index]);
}

/** Tools pass on a model's input, and models omit fields. */
function required(content: string | undefined, action: string): string {
  if (typeof content === "string") return content;
  throw new GranaryError(
    "missing-content",
    `"${action}" needs "content", the cell's new source. For an empty cell pass an empty string.`,
  );
}

function knownType(type: CellType): CellType {
  if (cellTypes.includes(type)) return type;
  throw new GranaryError("invalid-cell-type", `There is no cell type "${type}". Use one of: ${cellTypes.join(", ")}.`);
}

function unknownAction(edit: never): GranaryError {
  const { action } = edit as { action: unknown };
  return new GranaryError(
    "invalid-action",
    `There is no action "${action}". Use one of: edit, insert, delete, move, replace, type, clear, split, merge.`,
  );
}

function inSequence(error: GranaryError, index: number, total: number): GranaryError {
  const message = `Edit ${index + 1} of ${total} failed, so none was applied: ${error.message}`;
  return new GranaryError(error.code, message, { details: { ...error.details, edit: index }, cause: error });
}
