import type { EditDetails } from "./edit-action.ts";

/** Describes an edit for people. */
export function sayEdit({ action, cellIndex, cellType, totalCells, changed, outputsAreStale }: EditDetails): string {
  if (!changed) return sayUnchanged(action, cellIndex);
  const stale = outputsAreStale ? " Its outputs are still those of the old source." : "";
  const of = `of ${totalCells}`;
  switch (action) {
    case "insert":
      return `Inserted a ${cellType} cell: it is cell ${cellIndex} ${of}.`;
    case "delete":
      return `Deleted cell ${cellIndex}; ${totalCells === 1 ? "1 is" : `${totalCells} are`} left.`;
    case "move":
      return `Moved it: it is cell ${cellIndex} ${of} now.`;
    case "type":
      return `Cell ${cellIndex} is a ${cellType} cell now.`;
    case "clear":
      return cellIndex === null ? "Cleared the outputs of all cells." : `Cleared the outputs of cell ${cellIndex}.`;
    case "split":
      return `Split it: the two are cells ${cellIndex} and ${(cellIndex ?? 0) + 1} ${of}.`;
    case "merge":
      return `Merged into cell ${cellIndex} ${of}.`;
    default:
      return `Changed cell ${cellIndex} ${of}.${stale}`;
  }
}

function sayUnchanged(action: EditDetails["action"], index: number | null): string {
  switch (action) {
    case "move":
      return `Nothing changed: it is cell ${index} already.`;
    case "type":
      return `Nothing changed: cell ${index} has that type already.`;
    case "clear":
      return `Nothing changed: ${index === null ? "no cell has" : `cell ${index} has no`} outputs.`;
    default:
      return `Nothing changed: cell ${index} has that source already.`;
  }
}
