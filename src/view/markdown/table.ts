import { pad } from "../text/fit.ts";
import { visibleWidth } from "../text/styled-text.ts";
import { wrapWords } from "../text/wrap.ts";
import type { Theme } from "../theme/theme.ts";
import type { Align } from "./blocks.ts";

const between = " │ ";
const narrowest = 4;

/**
 * A table within a width: columns that are too wide share the room, and their cells wrap. Null when there are
 * too many columns for that.
 * @param rows styled cells; the first row names the columns
 */
export function renderTable(
  rows: readonly (readonly string[])[],
  aligns: readonly Align[],
  width: number,
  theme: Theme,
): readonly string[] | null {
  const room = width - between.length * (aligns.length - 1);
  if (room < aligns.length * narrowest) return null;
  const wanted = aligns.map((_, column) => Math.max(1, ...rows.map((row) => visibleWidth(row[column] ?? ""))));
  const widths = shareOut(wanted, room);
  const [names = [], ...others] = rows.map((row) => tableRow(row, widths, aligns, theme));
  const line = theme.border(widths.map((columns) => "─".repeat(columns)).join("─┼─"));
  return [...names, line, ...others.flat()];
}

/** The widest columns shrink first. */
function shareOut(wanted: readonly number[], room: number): readonly number[] {
  let most = Math.max(...wanted);
  const total = (limit: number): number => wanted.reduce((sum, columns) => sum + Math.min(columns, limit), 0);
  if (total(most) <= room) return wanted;
  let least = narrowest;
  while (least < most - 1) {
    const middle = Math.floor((least + most) / 2);
    if (total(middle) <= room) least = middle;
    else most = middle;
  }
  return wanted.map((columns) => Math.min(columns, least));
}

function tableRow(
  cells: readonly string[],
  widths: readonly number[],
  aligns: readonly Align[],
  theme: Theme,
): readonly string[] {
  const wrapped = widths.map((columns, at) => wrapWords(cells[at] ?? "", columns));
  const height = Math.max(...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    widths
      .map((columns, at) => placed(wrapped[at]?.[row] ?? "", columns, aligns[at] ?? "left"))
      .join(theme.border(between))
      .trimEnd(),
  );
}

function placed(text: string, width: number, align: Align): string {
  const free = Math.max(0, width - visibleWidth(text));
  const before = align === "left" ? 0 : align === "right" ? free : Math.floor(free / 2);
  return pad(" ".repeat(before) + text, width);
}
