import type { NotebookCell } from "../../notebook/cell.ts";
import { withOutputs } from "../../notebook/edit/write-outputs.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { asOutput } from "../../notebook/output.ts";

/** The position of a cell in a notebook that another program saved; or why its outputs have no place there. */
export type NewPlace = number | "edited" | "gone";

/** For each cell of a notebook its position in another version: found by its id or, without ids, by its source. */
export function findAgain(ours: Notebook, theirs: Notebook): readonly NewPlace[] {
  const byId = new Map(theirs.cells.map((cell, index) => [cell.id, index]));
  const bySource = placesBySource(theirs);
  return ours.cells.map((cell) => {
    // Of several with the same source, the first matches the first.
    if (cell.id === null) return bySource.get(nameOf(cell))?.shift() ?? "gone";
    const index = byId.get(cell.id);
    if (index === undefined) return "gone";
    return nameOf(theirs.cells[index] as NotebookCell) === nameOf(cell) ? index : "edited";
  });
}

/** Their version, with the outputs from ours. */
export function withRunOf(
  ours: Notebook,
  theirs: Notebook,
  ran: Iterable<number>,
  places: readonly NewPlace[],
): Notebook {
  let merged = theirs;
  for (const index of ran) {
    const place = places[index];
    if (typeof place !== "number") continue;
    const { outputs, executionCount, metadata } = ours.cells[index] as NotebookCell;
    merged = withOutputs(merged, place, {
      outputs: outputs.map(asOutput).filter((output) => output !== null),
      executionCount,
      metadata: { execution: metadata.execution },
    });
  }
  return merged;
}

function placesBySource({ cells }: Notebook): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, cell] of cells.entries()) {
    const name = nameOf(cell);
    places.set(name, [...(places.get(name) ?? []), index]);
  }
  return places;
}

function nameOf({ type, source }: NotebookCell): string {
  return `${type} ${source}`;
}
