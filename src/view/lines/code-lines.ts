import { highlight } from "../highlight/highlight.ts";
import { printableLines } from "../text/printable.ts";
import { firstRows } from "../text/rows.ts";
import type { ViewOptions } from "../view-options.ts";
import { besideBar, gutterWidth } from "./gutter.ts";
import { moreLine } from "./more-line.ts";

export interface CodeOptions extends ViewOptions {
  /** Rows in the preview. */
  readonly previewLines: number;
}

/** Code beside a bar: its beginning, or all of it. */
export function renderCode(code: string, language: string, options: CodeOptions): readonly string[] {
  if (code === "") return [];
  const { width, expanded, theme, previewLines } = options;
  const most = expanded ? Number.POSITIVE_INFINITY : previewLines;
  const raw = code.replace(/\n$/, "").split("\n");
  // Process only the lines that may be shown.
  const first = raw.slice(0, most);
  const { rows, hidden } = firstRows(
    highlight(first.flatMap(printableLines), language, theme),
    width - gutterWidth,
    most,
  );
  const more = moreLine(hidden + raw.length - first.length, "more line", options, width - gutterWidth);
  return besideBar([...rows, ...more], theme);
}
