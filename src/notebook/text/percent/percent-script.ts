import type { Cell } from "../../cell.ts";
import { NotebookError } from "../../errors.ts";
import type { Notebook } from "../../notebook.ts";
import { asForeignCell } from "./foreign-cell.ts";
import { linesInsideStrings } from "./inside-strings.ts";
import { commentMagics } from "./magic-comments.ts";
import { isPercentMarker, writePercentMarker } from "./percent-marker.ts";

/** A notebook as a script in the percent format that jupytext, Spyder and VS Code know. It has no outputs and no ids. */
export function percentScript(notebook: Notebook): string {
  return notebook.cells.map((cell, index) => percentCell(cell, index)).join("\n");
}

export function percentCell(cell: Cell, index: number): string {
  const { type, source, metadata } = cell;
  const foreign = type === "code" ? asForeignCell(source) : null;
  const marker = writePercentMarker(type, foreign === null ? metadata : { ...metadata, ...foreign.metadata });
  if (foreign !== null) return foreign.body === null ? `${marker}\n` : `${marker}\n${asComment(foreign.body)}\n`;
  if (type !== "code") return `${marker}\n${asComment(source)}\n`;
  const code = commentMagics(source);
  refuseMarkers(code, index);
  return code === "" ? `${marker}\n` : `${marker}\n${code}\n`;
}

function asComment(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");
}

/** The format has no way to say that such a line is only a comment. */
function refuseMarkers(code: string, index: number): void {
  const lines = code.split("\n");
  const isInside = linesInsideStrings(lines);
  const line = lines.findIndex((text, at) => !isInside[at] && isPercentMarker(text));
  if (line === -1) return;
  throw new NotebookError(
    "invalid-cell-text",
    `Cell ${index} has a line that begins a cell in a percent script (line ${line + 1}: "${lines[line]?.slice(0, 60)}"). ` +
      "Change that line, or use cell text, which can hold it.",
    { details: { cellIndex: index, line: line + 1 } },
  );
}
