import { jsonLength } from "../../../support/json/deep-json.ts";
import type { PageCell, PageOutput } from "../api/cells.ts";

/** A snapshot has so many cells, and so many characters; the reader asks for earlier cells. */
const mostCells = 50;
const mostCharacters = 4_000_000;

/** About the memory that an output takes, in characters. */
export function weightOf(output: PageOutput): number {
  if (output.kind === "text") return output.text.length;
  if (output.kind === "error") return output.traceback.reduce((sum, { lines }) => sum + lines.join("").length, 0);
  return Object.values(output.data).reduce<number>((sum, form) => sum + jsonLength(form), 0);
}

/** The last cells that are together small enough for one answer, at least one. */
export function lastCells(cells: readonly PageCell[]): readonly PageCell[] {
  let from = cells.length;
  for (let left = mostCharacters; from > 0 && cells.length - from < mostCells; from--) {
    const cell = cells[from - 1] as PageCell;
    left -= cell.outputs.reduce((sum, output) => sum + weightOf(output), cell.code.length);
    if (left < 0 && from < cells.length) break;
  }
  return cells.slice(from);
}
