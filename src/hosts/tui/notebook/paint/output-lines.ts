import type { ImagePart } from "../../../../output/display/display-part.ts";
import { sayCount } from "../../../../support/say-count.ts";
import type { PictureBlock, Room } from "../../../../view/pictures/picture-block.ts";
import { clamp } from "../../../../view/text/fit.ts";
import { firstRows, lastRows } from "../../../../view/text/rows.ts";
import type { Theme } from "../../../../view/theme/theme.ts";
import type { PaintedPiece } from "./output-pieces.ts";

/** A line, and its row in a picture: a partly visible picture has to be drawn differently. */
export interface OutputLine {
  readonly text: string;
  readonly picture?: { readonly image: ImagePart; readonly room: Room; readonly row: number } | undefined;
}

export interface OutputRoom {
  readonly width: number;
  readonly theme: Theme;
  readonly expanded: boolean;
  /** Null for a picture that cannot be shown. */
  draw(image: ImagePart, width: number): PictureBlock | null;
}

/** A long text shows its beginning and its end. */
const preview = { first: 8, last: 6 };

export function outputLines(pieces: readonly PaintedPiece[], room: OutputRoom): readonly OutputLine[] {
  return pieces.flatMap((piece) => (piece.type === "text" ? textLines(piece, room) : pictureLines(piece.image, room)));
}

function textLines(piece: PaintedPiece & { readonly type: "text" }, room: OutputRoom): readonly OutputLine[] {
  const { theme } = room;
  const paint = piece.style === null ? (text: string) => text : theme[piece.style];
  return rowsOf(piece, room).map((row) => {
    if ("note" in row) return { text: theme.muted(clamp(row.note, room.width)) };
    return { text: row.text === "" ? "" : paint(row.text) };
  });
}

/** The cell's own line, or a note about omitted lines. */
type Row = { readonly text: string } | { readonly note: string };

function rowsOf({ excerpt, isTail }: PaintedPiece & { readonly type: "text" }, room: OutputRoom): readonly Row[] {
  const { lines, leftOut } = excerpt;
  const { width } = room;
  const most = preview.first + preview.last;
  if (isTail) return [{ note: "… earlier lines" }, ...lastRows(lines, width, most).rows.map(theirs)];
  const all = firstRows(lines, width, room.expanded ? Number.POSITIVE_INFINITY : most + 1);
  if (all.hidden === 0) return all.rows.map(theirs);
  const begin = firstRows(lines, width, preview.first);
  const end = lastRows(lines, width, preview.last);
  // The line that marks the omitted middle is not one of the cell's.
  const hidden = begin.hidden + end.hidden - lines.length + Math.max(0, leftOut - 1);
  // A very long line hides only its own middle.
  const note = hidden > 0 ? `… ${sayCount(hidden, "more line")} (o)` : "… (o)";
  return [...begin.rows.map(theirs), { note }, ...end.rows.map(theirs)];
}

const theirs = (text: string): Row => ({ text });

function pictureLines(image: ImagePart, { width, theme, draw }: OutputRoom): readonly OutputLine[] {
  const block = draw(image, width);
  const { original, mimeType, alt } = image;
  if (block === null) {
    const name = `[${mimeType} ${original.width}x${original.height}${alt === "" ? "" : `: ${alt}`}]`;
    return [{ text: theme.muted(clamp(name, width)) }];
  }
  const room = { columns: block.columns, rows: block.rows };
  return block.lines.map((text, row) => ({ text, picture: { image, room, row } }));
}
