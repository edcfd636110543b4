import type { Notebook } from "../notebook.ts";
import { escapeMarkers, writeMarker } from "./cell-marker.ts";
import { summarizeOutputs } from "./output-summary.ts";

export interface CellTextOptions {
  /** Show what each cell put out, in at most this many characters; it is ignored when the text comes back. */
  readonly outputCharacters?: number;
}

/**
 * A notebook as text that can be edited: for each cell a marker line and the source, with a newline after it.
 * `withCellText` takes it back; for a text that was not edited that changes no byte of the notebook.
 */
export function cellText(notebook: Notebook, { outputCharacters = 0 }: CellTextOptions = {}): string {
  return notebook.cells
    .map((cell, index) => {
      const text = `${writeMarker(cell.type, index)}\n${escapeMarkers(cell.source)}\n`;
      if (outputCharacters === 0 || cell.type !== "code" || !cell.hasOutputs) return text;
      const summary = escapeMarkers(summarizeOutputs(cell.outputs, outputCharacters));
      return `${text}${writeMarker("output", index)}\n${summary}\n`;
    })
    .join("");
}
