import { ActiveStyles } from "./sgr.ts";
import { piecesOf, visibleWidth } from "./styled-text.ts";

/** The line cut to this many columns; `…` marks the cut. */
export function clamp(line: string, width: number): string {
  if (visibleWidth(line) <= width) return line;
  const styles = new ActiveStyles();
  let shown = "";
  let used = 0;
  for (const piece of piecesOf(line)) {
    if (piece.isEscape) {
      styles.take(piece.text);
      shown += piece.text;
    } else if (used + piece.width > width - 1) break;
    else {
      shown += piece.text;
      used += piece.width;
    }
  }
  return width < 1 ? "" : `${shown}…${styles.off}`;
}

/** Padded with blanks to this many columns; a longer line stays unchanged. */
export function pad(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - visibleWidth(line)));
}

/** `left` and `right` on one line, with blanks between them; without enough room, `left` loses its end. */
export function atBothEnds(left: string, right: string, width: number): string {
  if (right === "") return clamp(left, width);
  const room = width - visibleWidth(right) - 1;
  if (room < 1) return clamp(`${left} ${right}`, width);
  return `${pad(clamp(left, room), room)} ${right}`;
}
