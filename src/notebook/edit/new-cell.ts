import { ObjectText } from "../../support/json/object-text.ts";
import type { JsonValue } from "../../support/json/value.ts";
import { writeJson } from "../../support/json/write.ts";
import { type CellType, type FoundCellType, NotebookCell } from "../cell.ts";
import { splitLines } from "../lines.ts";
import { hasCellIds, type Notebook } from "../notebook.ts";
import type { MakeId } from "./cell-id.ts";
import { cellIndent } from "./cell-list.ts";

/**
 * A cell that fits into this notebook: with the keys that its version requires, in the order of its other cells.
 * @param makeId makes ids that no other cell has: see `unusedIds`
 */
export function newCell(notebook: Notebook, type: CellType, source: string, makeId: MakeId): NotebookCell {
  const members: Record<string, JsonValue> = { cell_type: type, metadata: {}, source: splitLines(source) };
  if (hasCellIds(notebook)) members.id = makeId();
  if (type === "code") Object.assign(members, { execution_count: null, outputs: [] });

  const ordered: Record<string, JsonValue> = {};
  for (const key of keyOrder(notebook, type)) {
    if (members[key] !== undefined) ordered[key] = members[key];
  }
  const style = { ...notebook.style, sortsKeys: false };
  return new NotebookCell(ObjectText.of(writeJson(ordered, style, cellIndent(notebook))));
}

/** The order of a cell's keys: as in the first cell of this type, else as in the first cell, else as nbformat sorts them. */
export function keyOrder({ cells }: Notebook, type: FoundCellType): readonly string[] {
  const model = cells.find((cell) => cell.type === type) ?? cells[0];
  if (model === undefined) return nbformatOrder;
  const order = model.json.keys;
  // A key missing there comes after the key that nbformat would put before it.
  nbformatOrder.forEach((key, rank) => {
    if (!order.includes(key)) order.splice(order.indexOf(nbformatOrder[rank - 1] ?? "") + 1, 0, key);
  });
  return order;
}

const nbformatOrder = ["attachments", "cell_type", "execution_count", "id", "metadata", "outputs", "source"];
