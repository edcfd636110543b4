import { Cell, type CellType } from "../cell.ts";
import { withMember, withoutMember } from "../json/edit-object.ts";
import type { ObjectText } from "../json/object-text.ts";
import type { JsonValue } from "../json/parse.ts";
import { splitLines } from "../lines.ts";
import type { Notebook } from "../notebook.ts";
import { cellIndent } from "./cell-list.ts";
import { keyOrder } from "./new-cell.ts";

/** Each returns the cell changed, or the very same cell when there is nothing to change. */

export function withSource(notebook: Notebook, cell: Cell, source: string): Cell {
  if (cell.json.has("source") && cell.source === source) return cell;
  const isOneString = typeof cell.json.get("source") === "string";
  const rewritten = withValue(notebook, cell, "source", isOneString ? source : splitLines(source));
  // A cell that claims outputs without being code is not valid, and other programs refuse its notebook.
  return cell.type === "code" ? rewritten : withoutCodeMembers(rewritten);
}

/** A cell of another type has other members: outputs only where there is code, attachments only where there is none. */
export function withType(notebook: Notebook, cell: Cell, type: CellType): Cell {
  if (cell.type === type) return cell;
  const changed = withValue(notebook, cell, "cell_type", type);
  if (type !== "code") return withoutCodeMembers(changed);
  return withCodeMembers(notebook, without(changed, "attachments"));
}

/** A code cell has to have both, even where nothing was run. */
export function withCodeMembers(notebook: Notebook, cell: Cell): Cell {
  const counted = cell.json.has("execution_count") ? cell : withValue(notebook, cell, "execution_count", null);
  return counted.json.has("outputs") ? counted : withValue(notebook, counted, "outputs", []);
}

function withoutCodeMembers(cell: Cell): Cell {
  return without(cell, "execution_count", "outputs");
}

/** The cell as if it had never been run. */
export function withoutOutputs(notebook: Notebook, cell: Cell): Cell {
  if (cell.type !== "code") return withoutCodeMembers(cell);
  const emptied = cell.hasOutputs ? withValue(notebook, cell, "outputs", []) : cell;
  return withValue(notebook, withCodeMembers(notebook, emptied), "execution_count", null);
}

export function withValue(notebook: Notebook, cell: Cell, key: string, value: JsonValue): Cell {
  // Asked for only when there is no such member yet, which is rare.
  const place = {
    get order() {
      return keyOrder(notebook, cell.type);
    },
    get indent() {
      return cellIndent(notebook);
    },
  };
  return asCell(cell, withMember(cell.json, key, value, notebook.style, place));
}

export function asCell(cell: Cell, json: ObjectText): Cell {
  return json === cell.json ? cell : new Cell(json);
}

function without(cell: Cell, ...keys: string[]): Cell {
  return asCell(cell, keys.reduce(withoutMember, cell.json));
}
