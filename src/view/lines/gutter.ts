import type { Theme } from "../theme/theme.ts";

/** The prefix of every row of a block: a bar before code, blanks before output. */
export const gutterWidth = 2;

export function besideBar(rows: readonly string[], theme: Theme): readonly string[] {
  return rows.map((row) => `${theme.border("│")} ${row}`.trimEnd());
}

export function indented(rows: readonly string[]): readonly string[] {
  return rows.map((row) => (row === "" ? "" : `  ${row}`));
}
