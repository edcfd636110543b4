import type { Align } from "./blocks.ts";

interface TableSource {
  /** The first row names the columns; every row has as many cells. */
  readonly rows: readonly (readonly string[])[];
  readonly aligns: readonly Align[];
  /** The first line after it. */
  readonly next: number;
}

/** A table that begins at a line: names, then `|---|:--:|`, then rows. */
export function tableAt(lines: readonly string[], at: number): TableSource | null {
  const head = lines[at] ?? "";
  const below = lines[at + 1] ?? "";
  if (!head.includes("|") || !below.includes("-") || !/^[\s|:-]*$/.test(below)) return null;
  const names = cellsOf(head);
  const aligns = cellsOf(below).map(alignOf);
  if (names.length !== aligns.length) return null;
  let next = at + 2;
  while (next < lines.length && lines[next]?.includes("|")) next++;
  const rows = lines.slice(at + 2, next).map((line) => names.map((_, column) => cellsOf(line)[column] ?? ""));
  return { rows: [names, ...rows], aligns, next };
}

/** `\|` is a literal character in a cell. */
function cellsOf(line: string): readonly string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  if (cells[0]?.trim() === "") cells.shift();
  if (cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function alignOf(dashes: string): Align {
  if (!dashes.endsWith(":")) return "left";
  return dashes.startsWith(":") ? "center" : "right";
}
