import { HeadTailBuffer, type OutputBudget, type ShownText } from "./head-tail-buffer.ts";

/** An object at a place in a text, such as a display, with its text on separate lines. */
export interface TextMark {
  /** Its text stays as ordinary text. */
  readonly isGone: boolean;
}

export interface MarkedPiece {
  readonly text: string;
  readonly mark: TextMark | null;
}

/** A piece of the shown text. */
export interface ShownPiece extends MarkedPiece {
  /** The position of the mark's text in the whole text, of which only a part may be shown. */
  readonly whole: { readonly start: number; readonly end: number } | null;
}

interface Placed {
  readonly mark: TextMark;
  readonly line: number;
  readonly lines: number;
  readonly whole: { readonly start: number; readonly end: number };
}

const tidyAt = 1024;

/**
 * The first and the last lines of a text of any length, with its marks. Positions are lines: the middle of a long
 * line may be omitted, and it still counts as one line.
 */
export class MarkedText {
  readonly #budget: OutputBudget;
  readonly #buffer: HeadTailBuffer;
  #length = 0;
  #placed: Placed[] = [];
  #tidyAt = tidyAt;

  constructor(budget: OutputBudget, buffer = new HeadTailBuffer(budget)) {
    this.#budget = budget;
    this.#buffer = buffer;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#placed.length === 0;
  }

  get isOverflowing(): boolean {
    return this.#buffer.isOverflowing;
  }

  /** @param length of the text that this stands for */
  push(text: string, mark: TextMark | null = null, length = text.length): void {
    const start = this.#length;
    this.#length += length;
    if (mark === null) return this.#buffer.push(text);
    const line = this.#buffer.lines;
    this.#buffer.push(text);
    const lines = this.#buffer.lines - line;
    this.#placed.push({ mark, line, lines, whole: { start, end: this.#length } });
    if (this.#placed.length > this.#tidyAt) this.#tidy();
  }

  copy(): MarkedText {
    const copy = new MarkedText(this.#budget, this.#buffer.copy());
    copy.#length = this.#length;
    copy.#placed = [...this.#placed];
    return copy;
  }

  show(): ShownText {
    return this.#buffer.show();
  }

  /**
   * The shown pieces in order. A mark with omitted text stays at its place.
   * @param notice replaces omitted lines; if only parts of lines are omitted, it comes last
   */
  pieces(shown: ShownText, notice: string): readonly ShownPiece[] {
    const { head, tail, elidedLines } = shown;
    const placed = this.#placed.filter(({ mark }) => !mark.isGone);
    if (elidedLines === 0) {
      const text = head + tail;
      const isOpen = notice !== "" && text !== "" && !text.endsWith("\n");
      const last = isOpen ? `\n${notice}` : notice;
      return placed.length === 0 ? onlyText(text + last) : joined([...cut(text, 0, placed), unmarked(last)]);
    }
    if (placed.length === 0) return onlyText(head + notice + tail);
    const headLines = linesIn(head);
    const tailLine = headLines + elidedLines;
    const isInHead = ({ line, lines }: Placed): boolean => line + lines <= headLines;
    const later = placed.filter((each) => !isInHead(each)).map((each) => notBefore(tailLine, each));
    return joined([...cut(head, 0, placed.filter(isInHead)), unmarked(notice), ...cut(tail, tailLine, later)]);
  }

  /** An endless output may have any number of omitted marks. */
  #tidy(): void {
    this.#placed = this.#placed.filter(({ mark }) => !mark.isGone);
    this.#tidyAt = Math.max(tidyAt, 2 * this.#placed.length);
  }
}

/** A mark without its lines outside the tail. */
function notBefore(tailLine: number, placed: Placed): Placed {
  const end = Math.max(placed.line + placed.lines, tailLine);
  const line = Math.max(placed.line, tailLine);
  return { ...placed, line, lines: end - line };
}

/** @param firstLine the number of its first line in the whole text */
function cut(text: string, firstLine: number, placed: readonly Placed[]): readonly ShownPiece[] {
  const pieces: ShownPiece[] = [];
  let at = 0;
  let line = firstLine;
  for (const { mark, whole, ...place } of placed) {
    const start = afterLines(text, at, place.line - line);
    const end = afterLines(text, start, place.lines);
    pieces.push(unmarked(text.slice(at, start)), { text: text.slice(start, end), mark, whole });
    at = end;
    line = place.line + place.lines;
  }
  return [...pieces, unmarked(text.slice(at))];
}

function afterLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let left = lines; left > 0; left--) {
    const end = text.indexOf("\n", at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

const unmarked = (text: string): ShownPiece => ({ text, mark: null, whole: null });

/** As for most outputs. */
const onlyText = (text: string): readonly ShownPiece[] => (text === "" ? [] : [unmarked(text)]);

/** Drops empty pieces, and joins neighbouring pieces of text. */
function joined(pieces: readonly ShownPiece[]): readonly ShownPiece[] {
  const all: ShownPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.mark !== null) all.push(piece);
    else if (last?.mark === null) all[all.length - 1] = unmarked(last.text + piece.text);
    else if (piece.text !== "") all.push(piece);
  }
  return all;
}
