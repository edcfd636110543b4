import type { ScreenLines } from "./screen-lines.ts";

/**
 * Does on the screen what a control sequence says, and returns what a watching terminal has to do to see it: the same
 * movement, but never beyond the lines of this output, so that no program can write over what is not its own.
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
      return vertically(screen.sequence(final, parameters)) + toColumn(screen.findCursor().column);
    case "J":
    case "K":
      return erase(screen, final, parameters);
    default:
      return "";
  }
}

/** From the end of everything to where the cursor is. */
export function backToCursor(screen: ScreenLines): string {
  if (screen.isAtEnd) return "";
  const { rowsBelow, column } = screen.findCursor();
  return vertically(-rowsBelow) + toColumn(column);
}

function erase(screen: ScreenLines, final: "J" | "K", parameters: string): string {
  const { rowsAbove } = screen.findCursor();
  screen.sequence(final, parameters);
  const which = Number.parseInt(parameters, 10) || 0;
  if (which > 2) return "";
  if (final === "K") return `\x1b[${which}K`;
  if (which === 0) return "\x1b[J";
  // Line by line, because a terminal would not stop at our first one.
  const above = `${vertically(-rowsAbove)}${"\x1b[2K\x1b[1B".repeat(rowsAbove)}`;
  return which === 1 ? `${above}\x1b[1K` : `${above}\x1b[2K\x1b[J`;
}

function vertically(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}

const toColumn = (column: number): string => `\x1b[${column + 1}G`;
