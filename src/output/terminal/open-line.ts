import { longLineNote } from "../text/truncation.ts";
import { headWithin, tailWithin } from "../text/utf8-cut.ts";

/** How much of an output: bytes of UTF-8, and lines. */
export interface Size {
  readonly bytes: number;
  readonly lines: number;
}

/** Whole lines to be shown, or one line of which the middle is missing. A note of ours in `text` does not count as bytes. */
export interface TextPiece extends Size {
  readonly text: string;
  readonly isClamped: boolean;
}

export const nothing: Size = { bytes: 0, lines: 0 };

export const plus = (a: Size, b: Size): Size => ({ bytes: a.bytes + b.bytes, lines: a.lines + b.lines });

export const minus = (a: Size, b: Size): Size => ({ bytes: a.bytes - b.bytes, lines: a.lines - b.lines });

/** The first lines, as many as there is room for, and the others. */
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

/** The last lines, as many as there is room for. */
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

/** @param size of what is before `at` */
function split(piece: TextPiece, at: number, size: Size): [TextPiece, TextPiece] {
  const before = { text: piece.text.slice(0, at), isClamped: piece.isClamped, bytes: size.bytes, lines: size.lines };
  return [before, { text: piece.text.slice(at), isClamped: piece.isClamped, ...minus(piece, size) }];
}

/** A line that has not ended yet. Keeps only its two ends in memory, however long it gets. */
export class OpenLine {
  readonly #limit: number;
  #begin = "";
  /** The latest part of a line that is too long. */
  #end = "";
  #bytes = 0;

  /** @param limit the bytes of a line that are shown */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  get isTooLong(): boolean {
    return this.#bytes > this.#limit;
  }

  add(text: string): void {
    const wasTooLong = this.isTooLong;
    this.#bytes += Buffer.byteLength(text);
    if (wasTooLong) this.#end += text;
    else this.#begin += text;
    if (!this.isTooLong) return;
    if (!wasTooLong) {
      const line = this.#begin;
      this.#begin = headWithin(line, Math.floor(this.#limit / 2));
      this.#end = line.slice(this.#begin.length);
    }
    // Some more than is shown, because the place of the cut also depends on the text before.
    const enough = this.#limit + 64;
    if (this.#end.length > 4 * enough) this.#end = this.#end.slice(-enough);
  }

  /** The line so far, ready to show. */
  show(lineEnd: "\n" | ""): TextPiece {
    if (!this.isTooLong) {
      return { text: this.#begin + lineEnd, bytes: this.#bytes + lineEnd.length, lines: 1, isClamped: false };
    }
    const end = tailWithin(this.#end, Math.floor(this.#limit / 2));
    const shown = Buffer.byteLength(this.#begin) + Buffer.byteLength(end);
    const text = this.#begin + longLineNote(this.#bytes - shown) + end + lineEnd;
    return { text, bytes: shown + lineEnd.length, lines: 1, isClamped: true };
  }

  copy(): OpenLine {
    const copy = new OpenLine(this.#limit);
    copy.#begin = this.#begin;
    copy.#end = this.#end;
    copy.#bytes = this.#bytes;
    return copy;
  }
}
