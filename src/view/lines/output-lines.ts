import { printableLines } from "../text/printable.ts";
import { firstRows, headAndTail, lastRows } from "../text/rows.ts";
import type { ViewOptions } from "../view-options.ts";
import { gutterWidth, indented } from "./gutter.ts";
import { moreLine } from "./more-line.ts";

export interface OutputOptions extends ViewOptions {
  readonly previewLines: number;
  /** Which part of a long output to show; by default its end, where the news is. */
  readonly keeps?: "end" | "both-ends" | "beginning" | undefined;
}

/** Printed text: its end, where the news is, or all of it. */
export function renderOutput(output: string, options: OutputOptions): readonly string[] {
  const text = output.trimEnd();
  if (text === "") return [];
  if (options.keeps === "both-ends") return renderLines(printedLines(text), options);
  const width = options.width - gutterWidth;
  const most = options.expanded ? Number.POSITIVE_INFINITY : options.previewLines;
  const raw = text.split("\n");
  // An output may have thousands of lines; process only those that may be shown.
  const last = raw.slice(-most);
  const { rows, hidden } = lastRows(last.flatMap(printableLines), width, most);
  const earlier = hidden + raw.length - last.length;
  return indented([...moreLine(earlier, "earlier line", options, width), ...rows]);
}

/** Prepared lines, all of them or the part that `keeps` names. */
export function renderLines(lines: readonly string[], options: OutputOptions): readonly string[] {
  const width = options.width - gutterWidth;
  const most = options.expanded ? Number.POSITIVE_INFINITY : options.previewLines;
  if (options.keeps === "beginning") {
    const { rows, hidden } = firstRows(lines, width, most);
    return indented([...rows, ...moreLine(hidden, "more line", options, width)]);
  }
  if (options.keeps !== "both-ends") {
    const { rows, hidden } = lastRows(lines, width, most);
    return indented([...moreLine(hidden, "earlier line", options, width), ...rows]);
  }
  const { head, hidden, tail } = headAndTail(lines, width, most);
  return indented([...head, ...moreLine(hidden, "line", options, width), ...tail]);
}

export function printedLines(text: string): readonly string[] {
  return text.split("\n").flatMap(printableLines);
}
