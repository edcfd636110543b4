import { splitAtColumn, widthOf } from "./cells.ts";

/** What becomes of a line on a terminal when something is written or erased in the midst of it. */

export function overwritten(line: string, column: number, text: string): string {
  const [before] = splitAtColumn(line, column);
  const [, after] = splitAtColumn(line, column + widthOf(text));
  const gap = " ".repeat(column - widthOf(before));
  // Bars are padded with blanks to cover a longer one; where those end the line, nobody misses them.
  return before + gap + text + after.trimEnd();
}

/** @param which 0: from the cursor on; 1: up to the cursor and what is under it; 2: everything */
export function erased(line: string, column: number, which: number): string {
  switch (which) {
    case 0:
      return splitAtColumn(line, column)[0];
    case 1: {
      const [, after] = splitAtColumn(line, column + 1);
      return after === "" ? "" : " ".repeat(column + 1) + after;
    }
    case 2:
      return "";
    default:
      return line;
  }
}

export function withoutBlanksAfter(line: string, column: number): string {
  const trimmed = line.trimEnd();
  return widthOf(trimmed) >= column ? trimmed : splitAtColumn(line, column)[0];
}
