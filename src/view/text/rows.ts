import { fold } from "./wrap.ts";

/** Some rows of many lines. */
export interface Preview {
  readonly rows: readonly string[];
  /** Lines that are not shown in full. */
  readonly hidden: number;
}

/** The first rows of lines folded to a width. Reads no more lines than necessary. */
export function firstRows(lines: readonly string[], width: number, most: number): Preview {
  const rows: string[] = [];
  let shown = 0;
  for (; shown < lines.length && rows.length < most; shown++) {
    const folded = fold(lines[shown] ?? "", width);
    const room = most - rows.length;
    rows.push(...folded.slice(0, room));
    if (folded.length > room) break;
  }
  return { rows, hidden: lines.length - shown };
}

export interface BothEnds {
  readonly head: readonly string[];
  /** Lines between the two that are not shown in full. */
  readonly hidden: number;
  readonly tail: readonly string[];
}

/** The beginning and the end, where the news is; everything if little would be hidden. */
export function headAndTail(lines: readonly string[], width: number, most: number): BothEnds {
  // A row that announces one hidden row takes as much room as that row.
  const all = firstRows(lines, width, most + 1);
  if (all.hidden === 0) return { head: all.rows, hidden: 0, tail: [] };
  const headRows = Math.floor(most * headShare);
  const { rows: head, hidden: left } = firstRows(lines, width, headRows);
  const { rows: tail, hidden } = lastRows(lines.slice(lines.length - left), width, most - headRows);
  return { head, hidden, tail };
}

const headShare = 0.4;

/** The last rows. */
export function lastRows(lines: readonly string[], width: number, most: number): Preview {
  const groups: (readonly string[])[] = [];
  let room = most;
  let hidden = lines.length;
  for (; hidden > 0 && room > 0; hidden--) {
    const folded = fold(lines[hidden - 1] ?? "", width);
    groups.push(folded.slice(-room));
    if (folded.length > room) break;
    room -= folded.length;
  }
  return { rows: groups.reverse().flat(), hidden };
}
