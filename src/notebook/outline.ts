import type { FoundCellType } from "./cell.ts";
import type { Notebook } from "./notebook.ts";

/** A cell in one or a few lines. */
export interface OutlinedCell {
  readonly index: number;
  readonly id: string | null;
  readonly type: FoundCellType;
  /** The headings of Markdown; otherwise the first line that is not blank. */
  readonly lines: readonly string[];
  readonly totalLines: number;
}

export function outlineOf({ cells }: Notebook): readonly OutlinedCell[] {
  return cells.map(({ id, type, source }, index) => {
    const all = source === "" ? [] : source.split("\n");
    const headings = type === "markdown" ? headingsIn(all) : [];
    const first = all.find((line) => line.trim() !== "");
    const lines = headings.length > 0 ? headings : first === undefined ? [] : [first];
    return { index, id, type, lines: lines.map(clipped), totalLines: all.length };
  });
}

/** Lines such as `## Data`, except those in fenced blocks, which are comments of code. */
function headingsIn(lines: readonly string[]): readonly string[] {
  let fence: string | null = null;
  return lines.filter((line) => {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (marks !== undefined) {
      if (fence === null) fence = marks;
      else if (marks.startsWith(fence)) fence = null;
      return false;
    }
    return fence === null && /^ {0,3}#{1,6}(\s|$)/.test(line);
  });
}

const longestLine = 100;

function clipped(line: string): string {
  const text = line.trimEnd();
  return text.length <= longestLine ? text : `${text.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
