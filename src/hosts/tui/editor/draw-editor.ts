import { highlight } from "../../../view/highlight/highlight.ts";
import { clamp } from "../../../view/text/fit.ts";
import { oneLine } from "../../../view/text/printable.ts";
import { piecesOf, visibleWidth } from "../../../view/text/styled-text.ts";
import { fold } from "../../../view/text/wrap.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import { cursor } from "../screen.ts";

export interface EditorLook {
  readonly width: number;
  /** At most this many rows around the cursor are shown. */
  readonly maxRows: number;
  readonly theme: Theme;
  readonly language: string;
  /** The prompts of the first and of the other lines, of equal width. */
  readonly prompts: readonly [first: string, others: string];
  readonly promptWidth: number;
  /** A suggested continuation: drawn after the cursor at the end of the text, as far as the row has room. */
  readonly suggestion?: string | undefined;
}

/** The lines of the edited text, with the cursor in one of them. */
export function drawEditor(text: string, cursorAt: number, look: EditorLook): readonly string[] {
  const lines = text.split("\n");
  const before = text.slice(0, cursorAt);
  const cursorLine = before.split("\n").length - 1;
  const cursorColumn = cursorAt - (before.lastIndexOf("\n") + 1);
  const painted = highlight(lines, look.language, look.theme);
  // Reserve one column for the cursor at the end of a full row.
  const room = Math.max(1, look.width - look.promptWidth - 1);
  const rows = painted.flatMap((line, at) => {
    const folded = fold(at === cursorLine ? withCursor(line, cursorColumn) : line, room);
    const isLast = at === painted.length - 1;
    return (isLast ? withSuggestion(folded, look.suggestion ?? "", room, look.theme) : folded).map(
      (row, part) => look.prompts[at === 0 && part === 0 ? 0 : 1] + row,
    );
  });
  const cursorRow = rows.findIndex((row) => row.includes(cursor));
  const first = Math.max(0, Math.min(cursorRow - Math.floor(look.maxRows / 2), rows.length - look.maxRows));
  return rows.slice(first, first + look.maxRows);
}

/** Never on rows of its own: the lines below would jump while a person types. */
function withSuggestion(rows: readonly string[], suggestion: string, room: number, theme: Theme): readonly string[] {
  const last = rows.at(-1) ?? "";
  const [first = "", ...others] = suggestion.split("\n");
  const shown = clamp(oneLine(others.length === 0 ? first : `${first} …`), room - visibleWidth(last));
  return shown === "" ? rows : [...rows.slice(0, -1), last + theme.muted(shown)];
}

/** @param column in UTF-16 units of the visible text */
function withCursor(line: string, column: number): string {
  let drawn = "";
  let at = 0;
  let isDrawn = false;
  for (const piece of piecesOf(line)) {
    if (!piece.isEscape && at >= column && !isDrawn) {
      drawn += cursor;
      isDrawn = true;
    }
    drawn += piece.text;
    if (!piece.isEscape) at += piece.text.length;
  }
  return isDrawn ? drawn : drawn + cursor;
}
