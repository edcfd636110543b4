import { printableLines } from "../text/printable.ts";
import { lastRows } from "../text/rows.ts";
import type { ViewOptions } from "../view-options.ts";
import { gutterWidth, indented } from "./gutter.ts";
import { moreLine } from "./more-line.ts";

export interface OutputOptions extends ViewOptions {
  readonly previewLines: number;
  /** Of what was raised: the lines that say so stand out. */
  readonly errorName?: string | undefined;
}

/** What was printed: its end, where the news is, or all of it. */
export function renderOutput(output: string, options: OutputOptions): readonly string[] {
  const text = output.trimEnd();
  if (text === "") return [];
  const width = options.width - gutterWidth;
  const most = options.expanded ? Number.POSITIVE_INFINITY : options.previewLines;
  const raw = text.split("\n");
  // An output may have thousands of lines; only those that may be shown are looked at.
  const last = raw.slice(-most);
  const { rows, hidden } = lastRows(withErrors(last.flatMap(printableLines), options), width, most);
  const earlier = hidden + raw.length - last.length;
  return indented([...moreLine(earlier, "earlier line", options, width), ...rows]);
}

function withErrors(lines: readonly string[], { errorName, theme }: OutputOptions): readonly string[] {
  if (errorName === undefined) return lines;
  return lines.map((line) => (saysError(line, errorName) ? theme.error(line) : line));
}

export function saysError(line: string, name: string): boolean {
  return line === name || line.startsWith(`${name}:`);
}
