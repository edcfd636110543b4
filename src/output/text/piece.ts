/** The size of a text: bytes of UTF-8, and lines. */
export interface Size {
  readonly bytes: number;
  readonly lines: number;
}

/** Whole lines to show, or one line without its middle. Our note in `text` does not count as bytes. */
export interface TextPiece extends Size {
  readonly text: string;
  readonly isClamped: boolean;
}

export const nothing: Size = { bytes: 0, lines: 0 };

export const plus = (a: Size, b: Size): Size => ({ bytes: a.bytes + b.bytes, lines: a.lines + b.lines });

export const minus = (a: Size, b: Size): Size => ({ bytes: a.bytes - b.bytes, lines: a.lines - b.lines });

/** The first lines, as many as fit, and the rest. */
export function splitAfter(piece: TextPiece, room: Size): [first: TextPiece, others: TextPiece] {
  if (fits(piece, room)) return split(piece, piece.text.length, piece);
  if (piece.isClamped) return split(piece, 0, nothing);
  let at = 0;
  let size = nothing;
  while (at < piece.text.length) {
    const end = piece.text.indexOf("\n", at) + 1 || piece.text.length;
    const longer = plus(size, { bytes: Buffer.byteLength(piece.text.slice(at, end)), lines: 1 });
    if (!fits(longer, room)) break;
    size = longer;
    at = end;
  }
  return split(piece, at, size);
}

/** The last lines, as many as fit. */
export function lastLines(piece: TextPiece, room: Size): TextPiece {
  if (fits(piece, room)) return piece;
  if (piece.isClamped) return split(piece, 0, nothing)[0];
  let at = piece.text.length;
  let size = nothing;
  while (at > 0) {
    const start = at === 1 ? 0 : piece.text.lastIndexOf("\n", at - 2) + 1;
    const longer = plus(size, { bytes: Buffer.byteLength(piece.text.slice(start, at)), lines: 1 });
    if (!fits(longer, room)) break;
    size = longer;
    at = start;
  }
  return split(piece, at, minus(piece, size))[1];
}

const fits = (size: Size, room: Size): boolean => size.bytes <= room.bytes && size.lines <= room.lines;

/** @param size of the text before `at` */
function split(piece: TextPiece, at: number, size: Size): [TextPiece, TextPiece] {
  const before = { text: piece.text.slice(0, at), isClamped: piece.isClamped, bytes: size.bytes, lines: size.lines };
  return [before, { text: piece.text.slice(at), isClamped: piece.isClamped, ...minus(piece, size) }];
}
