import { GranaryError } from "../../support/granary-error.ts";
import { jsonText } from "../../support/json/deep-json.ts";
import { withMember, withoutMember } from "../../support/json/edit-object.ts";
import type { ObjectText } from "../../support/json/object-text.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { type CellType, NotebookCell } from "../cell.ts";
import { splitLines } from "../lines.ts";
import type { Notebook } from "../notebook.ts";
import { cellIndent } from "./cell-list.ts";
import { keyOrder } from "./new-cell.ts";

/** Each function returns the changed cell, or the same object when nothing changes. */

export function withSource(notebook: Notebook, cell: NotebookCell, source: string): NotebookCell {
  if (cell.json.has("source") && cell.source === source) return cell;
  if (cell.type === "unknown") throw unknownType(notebook, cell);
  const isOneString = typeof cell.json.get("source") === "string";
  const rewritten = withValue(notebook, cell, "source", isOneString ? source : splitLines(source));
  // Outputs in a cell that is not code are invalid, and other programs refuse such a notebook.
  return cell.type === "code" ? rewritten : withoutCodeMembers(rewritten);
}

/** Each type has its own members: only code has outputs, and code has no attachments. */
export function withType(notebook: Notebook, cell: NotebookCell, type: CellType): NotebookCell {
  if (cell.type === type) return cell;
  const changed = withValue(notebook, cell, "cell_type", type);
  if (type !== "code") return withoutCodeMembers(changed);
  return withCodeMembers(notebook, without(changed, "attachments"));
}

/** A code cell requires both, even before its first run. */
export function withCodeMembers(notebook: Notebook, cell: NotebookCell): NotebookCell {
  const counted = cell.json.has("execution_count") ? cell : withValue(notebook, cell, "execution_count", null);
  return counted.json.has("outputs") ? counted : withValue(notebook, counted, "outputs", []);
}

function withoutCodeMembers(cell: NotebookCell): NotebookCell {
  return without(cell, "execution_count", "outputs");
}

/** The cell as if it had never run. */
export function withoutOutputs(notebook: Notebook, cell: NotebookCell): NotebookCell {
  if (cell.type === "unknown") return cell;
  if (cell.type !== "code") return withoutCodeMembers(cell);
  const emptied = cell.hasOutputs ? withValue(notebook, cell, "outputs", []) : cell;
  return withValue(notebook, withCodeMembers(notebook, emptied), "execution_count", null);
}

/** Granary cannot know which source and members an unknown type allows. */
export function unknownType({ cells }: Notebook, cell: NotebookCell): GranaryError {
  const index = cells.indexOf(cell);
  return new GranaryError(
    "invalid-cell-type",
    `Cell ${index} has the type ${jsonText(cell.json.get("cell_type") as JsonValue)}, which Granary cannot edit. ` +
      "Change its type to code, markdown or raw first, or delete it.",
    { details: { cellIndex: index } },
  );
}

export function withValue(notebook: Notebook, cell: NotebookCell, key: string, value: JsonValue): NotebookCell {
  // Called only when there is no such member yet, which is rare.
  const place = {
    get order() {
      return keyOrder(notebook, cell.type);
    },
    get indent() {
      return cellIndent(notebook);
    },
  };
  return cellWith(cell, withMember(cell.json, key, value, notebook.style, place));
}

export function cellWith(cell: NotebookCell, json: ObjectText): NotebookCell {
  return json === cell.json ? cell : new NotebookCell(json);
}

function without(cell: NotebookCell, ...keys: string[]): NotebookCell {
  return cellWith(cell, keys.reduce(withoutMember, cell.json));
}
