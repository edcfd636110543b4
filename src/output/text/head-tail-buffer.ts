import { usualBudget } from "../../support/usual-budget.ts";
import {
  lastLines,
  minus,
  nothing,
  OpenLine,
  plus,
  type Size,
  splitAfter,
  type TextPiece,
} from "../terminal/open-line.ts";
import type { Truncation } from "./truncation.ts";

/** The limits of a shown output. */
export interface OutputBudget extends Size {
  /** Bytes for the beginning; the others are for the end. Lines are divided in the same proportion. */
  readonly headBytes: number;
  /** Most bytes of one line. */
  readonly lineBytes: number;
}

/** The shown text. Elided lines, if any, are between `head` and `tail`. */
export interface ShownText extends Truncation {
  readonly head: string;
  readonly tail: string;
  /** Number of lines shown without their middle. */
  readonly clampedLines: number;
}

const smallPiece = 4096;

/** Keeps the first and the last lines of a text of any length, within a budget, and counts exactly. */
export class HeadTailBuffer {
  readonly #budget: OutputBudget;
  #total = nothing;
  #open: OpenLine;
  #hasLongLine = false;
  #head: TextPiece[] = [];
  #headRoom: Size;
  #headIsFull = false;
  /** May hold more than the budget: only `shown` cuts exactly. */
  #tail: TextPiece[] = [];
  #tailSize = nothing;

  constructor(budget: OutputBudget = usualBudget) {
    const headBytes = Math.min(budget.headBytes, budget.bytes);
    // At least the last line must fit.
    const lineBytes = Math.max(0, Math.min(budget.lineBytes, Math.max(headBytes, budget.bytes - headBytes) - 1));
    this.#budget = { ...budget, headBytes, lineBytes };
    this.#headRoom = { bytes: headBytes, lines: Math.floor((budget.lines * headBytes) / (budget.bytes || 1)) };
    this.#open = new OpenLine(lineBytes);
  }

  /** Number of lines, including an unfinished one. */
  get lines(): number {
    return this.#total.lines;
  }

  /** Whether text is omitted. */
  get isOverflowing(): boolean {
    const { bytes, lines } = this.#total;
    return bytes > this.#budget.bytes || lines > this.#budget.lines || this.#hasLongLine;
  }

  push(text: string): void {
    const bytes = Buffer.byteLength(text);
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) {
      const start = this.#open.isEmpty ? 0 : text.indexOf("\n") + 1;
      if (start > 0) this.#addLine(text.slice(0, start));
      if (end > start) this.#addLines(text.slice(start, end), { isAscii: bytes === text.length });
    }
    if (end < text.length) this.#continueLine(text.slice(end));
  }

  /** The shown text if nothing followed. */
  show(): ShownText {
    if (this.#open.isEmpty) return this.#measure();
    const ended = this.copy();
    ended.#keep(ended.#open.show(""));
    return ended.#measure();
  }

  #continueLine(text: string): void {
    this.#total = plus(this.#total, { bytes: Buffer.byteLength(text), lines: this.#open.isEmpty ? 1 : 0 });
    this.#open.add(text);
    this.#hasLongLine ||= this.#open.isTooLong;
  }

  /** A line with its end, or the rest of the open one. */
  #addLine(line: string): void {
    this.#continueLine(line.slice(0, -1));
    this.#total = plus(this.#total, { bytes: 1, lines: 0 });
    this.#keep(this.#open.show("\n"));
    this.#open = new OpenLine(this.#budget.lineBytes);
  }

  #addLines(text: string, { isAscii }: { isAscii: boolean }): void {
    const { lines, longest } = measureLines(text);
    const mayHaveLongLine = longest * (isAscii ? 1 : 3) > this.#budget.lineBytes;
    if (mayHaveLongLine) {
      for (const line of text.match(/[^\n]*\n/g) ?? []) this.#addLine(line);
      return;
    }
    const piece = { text, bytes: isAscii ? text.length : Buffer.byteLength(text), lines, isClamped: false };
    this.#total = plus(this.#total, piece);
    this.#keep(piece);
  }

  #keep(piece: TextPiece): void {
    if (this.#headIsFull) return this.#keepInTail(piece);
    const [first, others] = splitAfter(piece, this.#headRoom);
    if (first.lines > 0) this.#head.push(first);
    this.#headRoom = minus(this.#headRoom, first);
    this.#headIsFull = others.lines > 0;
    if (this.#headIsFull) this.#keepInTail(others);
  }

  #keepInTail(piece: TextPiece): void {
    const last = this.#tail.at(-1);
    const canJoin = last && last.text.length < smallPiece && !last.isClamped && !piece.isClamped;
    if (canJoin) this.#tail[this.#tail.length - 1] = { ...piece, text: last.text + piece.text, ...plus(last, piece) };
    else this.#tail.push(piece);
    this.#tailSize = plus(this.#tailSize, piece);
    const room = this.#tailRoom;
    for (;;) {
      const without = minus(this.#tailSize, this.#tail[0] ?? nothing);
      if (this.#tail.length === 1 || (without.bytes < room.bytes && without.lines < room.lines)) return;
      this.#tail.shift();
      this.#tailSize = without;
    }
  }

  /** The tail gets the budget that the head did not use. */
  get #tailRoom(): Size {
    const { bytes, lines, headBytes } = this.#budget;
    const headLines = Math.floor((lines * headBytes) / (bytes || 1));
    return plus({ bytes: bytes - headBytes, lines: lines - headLines }, this.#headRoom);
  }

  #measure(): ShownText {
    let room = this.#tailRoom;
    const tail: TextPiece[] = [];
    for (const piece of this.#tail.toReversed()) {
      const last = lastLines(piece, room);
      if (last.lines > 0) tail.unshift(last);
      room = minus(room, last);
      if (last.lines < piece.lines) break;
    }
    const pieces = [...this.#head, ...tail];
    const shown = pieces.reduce(plus, nothing);
    const elided = minus(this.#total, shown);
    return {
      head: this.#head.map((piece) => piece.text).join(""),
      tail: tail.map((piece) => piece.text).join(""),
      clampedLines: pieces.filter((piece) => piece.isClamped).length,
      totalLines: this.#total.lines,
      totalBytes: this.#total.bytes,
      shownLines: shown.lines,
      shownBytes: shown.bytes,
      elidedLines: elided.lines,
      elidedBytes: elided.bytes,
    };
  }

  copy(): HeadTailBuffer {
    const copy = new HeadTailBuffer(this.#budget);
    copy.#total = this.#total;
    copy.#open = this.#open.copy();
    copy.#hasLongLine = this.#hasLongLine;
    copy.#head = [...this.#head];
    copy.#headRoom = this.#headRoom;
    copy.#headIsFull = this.#headIsFull;
    copy.#tail = [...this.#tail];
    copy.#tailSize = this.#tailSize;
    return copy;
  }
}

function measureLines(text: string): { lines: number; longest: number } {
  let lines = 0;
  let longest = 0;
  for (let start = 0; start < text.length; lines++) {
    const end = text.indexOf("\n", start);
    if (end - start > longest) longest = end - start;
    start = end + 1;
  }
  return { lines, longest };
}
