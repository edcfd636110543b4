import { GranaryError } from "../../support/granary-error.ts";
import { sayCount } from "../../support/say-count.ts";
import type { NotebookCell } from "../cell.ts";

/** The source with `old` replaced. It has to occur exactly once: several would be ambiguous. */
export function replacedText(
  source: string,
  { old, new: replacement, all = false }: { readonly old: string; readonly new: string; readonly all?: boolean },
  index: number,
): string {
  if (typeof old !== "string" || typeof replacement !== "string" || old === "") {
    throw new GranaryError("missing-content", '"replace" needs "old", the exact text to look for, and "new".');
  }
  const parts = source.split(old);
  const times = parts.length - 1;
  if (times === 0) {
    throw new GranaryError(
      "text-not-found",
      `Cell ${index} does not contain that text. It has to match exactly, including white space; read the cell first.`,
      { details: { cellIndex: index } },
    );
  }
  if (times > 1 && !all) {
    throw new GranaryError(
      "text-ambiguous",
      `Cell ${index} contains that text ${times} times. Give more of the lines around it, or set all.`,
      { details: { cellIndex: index, times } },
    );
  }
  return parts.join(replacement);
}

/** Both halves, without the newline between them; `line` counts from 1 and begins the second half. */
export function splitSource(source: string, line: number, index: number): [first: string, second: string] {
  const lines = source.split("\n");
  if (!Number.isInteger(line) || line < 2 || line > lines.length) {
    const remedy = lines.length < 2 ? "it has only one line" : `use 2 to ${lines.length}`;
    throw new GranaryError("cannot-split", `Cell ${index} cannot be split before line ${line}: ${remedy}.`, {
      details: { cellIndex: index, line },
    });
  }
  return [lines.slice(0, line - 1).join("\n"), lines.slice(line - 1).join("\n")];
}

/** The source of several cells as one; the opposite of a split. */
export function mergedCells(cells: readonly NotebookCell[], index: number, count: number): string {
  const refuse = (why: string) =>
    new GranaryError("cannot-merge", `Cell ${index} cannot be merged: ${why}.`, {
      details: { cellIndex: index, count },
    });
  if (!Number.isInteger(count) || count < 2) throw refuse(`"count" has to be 2 or more, not ${count}`);
  if (cells.length < count)
    throw refuse(`there ${cells.length === 2 ? "is" : "are"} only ${sayCount(cells.length - 1, "cell")} after it`);
  cells.forEach((cell, position) => {
    if (position === 0) return;
    if (cell.type !== cells[0]?.type) throw refuse(`cell ${index + position} has another type; change it first`);
    if (cell.json.has("attachments")) throw refuse(`cell ${index + position} has attachments, which would be lost`);
  });
  return cells.map((cell) => cell.source).join("\n");
}
