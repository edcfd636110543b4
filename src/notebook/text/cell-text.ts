import type { Notebook } from "../notebook.ts";
import { escapeMarkers, writeMarker } from "./cell-marker.ts";
import { writeMarkdown } from "./commented-markdown.ts";
import { summarizeOutputs } from "./output-summary.ts";

export interface CellTextOptions {
  /** Show each cell's output in at most this many characters; ignored when the text is written back. */
  readonly outputCharacters?: number;
}

/**
 * A notebook as editable text: for each cell a marker line and the source, with a newline after it.
 * `withCellText` reads it back; unedited text changes no byte of the notebook.
 */
export function cellText(notebook: Notebook, { outputCharacters = 0 }: CellTextOptions = {}): string {
  return notebook.cells
    .map((cell, index) => {
      const source = cell.type === "markdown" ? writeMarkdown(cell.source) : cell.source;
      const text = `${writeMarker(cell.type, index)}\n${escapeMarkers(source)}\n`;
      if (outputCharacters === 0 || cell.type !== "code" || !cell.hasOutputs) return text;
      const summary = escapeMarkers(summarizeOutputs(cell.outputs, outputCharacters));
      return `${text}${writeMarker("output", index)}\n${summary}\n`;
    })
    .join("");
}
