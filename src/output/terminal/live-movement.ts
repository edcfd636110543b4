import type { ScreenLines } from "./screen-lines.ts";

/**
 * Applies a control sequence to the screen, and returns the sequence for a live terminal: the same
 * movement, but never beyond the lines of this output, so that no program can overwrite other text.
 */
export function moveOnScreen(screen: ScreenLines, final: string, parameters: string): string {
  switch (final) {
    case "A":
    case "B":
      return vertically(screen.sequence(final, parameters));
    case "C":
    case "D":
    case "E":
    case "F":
    case "G":
    case "H":
    case "f":
      return vertically(screen.sequence(final, parameters)) + toColumn(screen.column);
    case "J":
    case "K":
      return erase(screen, final, parameters);
    default:
      return "";
  }
}

/** From the end of the output to the cursor. */
export function backToCursor(screen: ScreenLines): string {
  if (screen.isAtEnd) return "";
  return vertically(-screen.rowsBelow) + toColumn(screen.column);
}

function erase(screen: ScreenLines, final: "J" | "K", parameters: string): string {
  const rowsAbove = final === "J" ? screen.rowsAbove : [];
  screen.sequence(final, parameters);
  const which = Number.parseInt(parameters, 10) || 0;
  if (which > 2) return "";
  if (final === "K") return `\x1b[${which}K`;
  if (which === 0) return "\x1b[J";
  // Line by line, because a terminal would not stop at our first line.
  return which === 1 ? `${eraseRows(rowsAbove)}\x1b[1K` : `${eraseRows(rowsAbove)}\x1b[2K\x1b[J`;
}

/** Erases the non-empty rows above the cursor, and returns to its position. */
function eraseRows(rows: readonly boolean[]): string {
  const first = rows.indexOf(true);
  if (first === -1) return "";
  let sequence = vertically(first - rows.length);
  let blanks = 0;
  for (const hasText of rows.slice(first)) {
    if (hasText) {
      sequence += `${vertically(blanks)}\x1b[2K`;
      blanks = 0;
    }
    blanks++;
  }
  return sequence + vertically(blanks);
}

function vertically(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}

const toColumn = (column: number): string => `\x1b[${column + 1}G`;
