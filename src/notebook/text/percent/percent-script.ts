import { GranaryError } from "../../../support/granary-error.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { CellType, FoundCellType, NotebookCell } from "../../cell.ts";
import type { Notebook } from "../../notebook.ts";
import { asForeignCell } from "./foreign-cell.ts";
import { linesInsideStrings } from "./inside-strings.ts";
import { commentMagics } from "./magic-comments.ts";
import { parsePercentScript } from "./parse-percent-script.ts";
import { isPercentMarker, writePercentMarker } from "./percent-marker.ts";
import { asComment, asString } from "./text-lines.ts";

/**
 * A notebook as a script in the percent format of jupytext, Spyder and VS Code. It has no outputs, no ids and no
 * blank lines at the end of code. Throws for a cell that would be read back differently.
 */
export function percentScript(notebook: Notebook): string {
  return notebook.cells.map((cell, index) => percentCell(cell, index)).join("\n");
}

export function percentCell(cell: NotebookCell, index: number): string {
  const forms = cell.type === "code" ? codeForms(cell) : textForms(cell);
  const faithful = forms.find((form) => comesBack(form, cell));
  if (faithful === undefined) throw notRepresentable(cell, index);
  return faithful;
}

/** All ways to write a cell, the usual one first. */
function codeForms({ source, metadata }: NotebookCell): string[] {
  // These two say that a cell is not Python.
  const { language: _language, magic_args: _args, ...rest } = metadata;
  const code = written("code", rest, source === "" ? null : commentMagics(source));
  const foreign = asForeignCell(source);
  if (foreign === null) return [code];
  const body = foreign.body === null ? null : asComment(foreign.body);
  return [written("code", { ...rest, ...foreign.metadata }, body), code];
}

function textForms({ type, source, metadata }: NotebookCell): string[] {
  const inQuotes = [asString(source, '"""'), asString(source, "'''")];
  const comment = asComment(source);
  // Other programs may read such a line as a marker anywhere.
  const hasMarkers = comment.split("\n").some(isPercentMarker);
  const forms = hasMarkers ? inQuotes : [comment, ...inQuotes];
  return forms.map((form) => written(type, metadata, form));
}

function written(type: FoundCellType, metadata: JsonObject, content: string | null): string {
  const marker = writePercentMarker(inScript(type), metadata);
  return content === null ? `${marker}\n` : `${marker}\n${content}\n`;
}

/** A script cannot express other types. */
export function inScript(type: FoundCellType): CellType {
  return type === "unknown" ? "raw" : type;
}

/** Whether this text is read back as that cell, and the next cell as a separate one. */
function comesBack(form: string, { type, source }: NotebookCell): boolean {
  const [read, next, ...more] = parsePercentScript(`${form}\n# %%\npass\n`);
  if (read?.type !== inScript(type) || next?.source !== "pass" || more.length > 0) return false;
  return type === "code" ? withoutBlankEnd(read.source) === withoutBlankEnd(source) : read.source === source;
}

function withoutBlankEnd(code: string): string {
  const lines = code.split("\n");
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1).join("\n");
}

function notRepresentable({ type, source }: NotebookCell, index: number): GranaryError {
  const { line, problem } = type === "code" ? problemOfCode(source) : problemOfText;
  return new GranaryError(
    "invalid-cell-text",
    `Cell ${index} ${problem}. Change the cell, or use cell text, which can hold it.`,
    { details: { cellIndex: index, ...(line !== null && { line }) } },
  );
}

const problemOfText = {
  line: null,
  problem: `has lines that begin a cell in a percent script, and both """ and ''', so it cannot be quoted`,
};

/** The format cannot mark such a line as a mere comment. */
function problemOfCode(source: string): { readonly line: number | null; readonly problem: string } {
  const lines = commentMagics(source).split("\n");
  const isInside = linesInsideStrings(lines);
  const marker = lines.findIndex((text, at) => !isInside[at] && isPercentMarker(text));
  if (marker !== -1) {
    const shown = lines[marker]?.slice(0, 60);
    const problem = `has a line that begins a cell in a percent script (line ${marker + 1}: "${shown}")`;
    return { line: marker + 1, problem };
  }
  return { line: null, problem: "would change in a percent script: a string in it has no end" };
}
