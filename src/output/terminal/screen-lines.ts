import { nextTabStop } from "../text/column-width.ts";
import { endOfLongLine, endOfLongLines, ScreenRow, type StepCount, startOfLastLines } from "./screen-row.ts";
import type { VtHandler } from "./vt-parser.ts";

export interface ScreenSize {
  /** How many lines, counted from the last, a program can still rewrite. */
  readonly rows: number;
  /** How long a line can be and still be rewritten; of a longer one, only what comes after so many characters. */
  readonly columns: number;
}

const screenSize: ScreenSize = { rows: 100, columns: 8192 };
const tidySize = 64 * 1024;
/** Right of the text, a cursor gets no further than on a wide terminal: a few bytes must not make pages of blanks. */
const emptyColumns = 256;

/**
 * The lines that a very wide terminal would show. Progress bars come to their last state here, because what is
 * overwritten is gone. A line that can no longer be rewritten is handed on, so that endless output needs little memory.
 *
 * Nearly all output is just text after text, and is kept as one text. When a cursor moves for the first time, what it can
 * reach is laid out in rows, and stays so. Whatever is printed, every byte costs a bounded number of steps: `work` has
 * them.
 */
export class ScreenLines implements VtHandler {
  readonly #onFinal: (text: string) => void;
  readonly #size: ScreenSize;
  readonly #work: StepCount = { steps: 0 };
  /** Whole lines above `#rows`, as long as these are not laid out. May reach further up than the screen does. */
  #above = "";
  #tidyAt = tidySize;
  /** All that a cursor can reach, or, before that is needed, the last line only. */
  #rows: ScreenRow[] = [new ScreenRow(this.#work)];
  #isLaidOut = false;
  #row = 0;
  /** `undefined` is the end of the line, which needs no measuring. */
  #column: number | undefined;

  constructor(onFinal: (text: string) => void, size = screenSize) {
    this.#onFinal = onFinal;
    this.#size = size;
  }

  /** Steps taken so far. */
  get work(): number {
    return this.#work.steps;
  }

  text(text: string): void {
    this.#work.steps += text.length;
    if (!this.#isLaidOut) return this.#append(text);
    let mayScrollAway = true;
    for (let at = 0; at < text.length; ) {
      if (mayScrollAway && this.isAtEnd && this.#line.text === "") {
        mayScrollAway = hasLines(text, at, this.#size.rows);
        if (mayScrollAway) return this.#scrollAway(text.slice(at));
      }
      const lineEnd = text.indexOf("\n", at);
      const end = lineEnd === -1 ? text.length : lineEnd;
      this.#write(text.slice(at, end));
      if (lineEnd !== -1) this.#lineFeed();
      at = end + 1;
    }
  }

  carriageReturn(): void {
    this.#layOut();
    this.#moveTo(0);
  }

  backspace(): void {
    this.#layOut();
    this.#moveTo(this.#currentColumn - 1);
  }

  /**
   * Cursor movements and erasing, as progress bars use them; all others change nothing here.
   * @returns by how many rows the cursor has moved down
   */
  sequence(final: string, parameters: string): number {
    this.#work.steps += parameters.length + 1;
    if (!movements.has(final)) return 0;
    this.#layOut();
    const [first = 0, second = 0] = parameters.split(/[;:]/).map(Number);
    const count = first || 1;
    switch (final) {
      case "A":
        return this.#moveRows(-count);
      case "B":
        return this.#moveRows(count);
      case "C":
        return this.#moveTo(this.#currentColumn + count);
      case "D":
        return this.#moveTo(this.#currentColumn - count);
      case "E":
        return this.#moveRows(count) + this.#moveTo(0);
      case "F":
        return this.#moveRows(-count) + this.#moveTo(0);
      case "G":
        return this.#moveTo(count - 1);
      case "H":
      case "f":
        return this.#moveRows(-this.#size.rows) + this.#moveRows(count - 1) + this.#moveTo((second || 1) - 1);
      case "J":
        return this.#eraseScreen(first);
      default:
        return this.#eraseLine(first);
    }
  }

  /** How many rows below the cursor have something on them. */
  get rowsBelow(): number {
    this.#layOut();
    return this.#visibleRows().length - 1 - this.#row;
  }

  get column(): number {
    this.#layOut();
    return this.#currentColumn;
  }

  /** Of the rows above the cursor: whether they have something on them, the uppermost first. */
  get rowsAbove(): readonly boolean[] {
    this.#layOut();
    this.#work.steps += this.#row;
    return this.#rows.slice(0, this.#row).map((row) => !row.isEmpty);
  }

  get isAtEnd(): boolean {
    return this.#row === this.#rows.length - 1 && this.#column === undefined;
  }

  /** What is not final yet, as it looks now. */
  get current(): string {
    return this.#above + this.#visibleRows().join("\n");
  }

  /** Hands on what is out of the program's reach by now. */
  settle(): void {
    this.#layOut();
  }

  /** Hands on everything: what is there can no longer be rewritten. */
  finish(): void {
    const current = this.current;
    this.clear();
    if (current !== "") this.#handOn(current);
  }

  clear(): void {
    this.#above = "";
    this.#rows = [new ScreenRow(this.#work)];
    this.#isLaidOut = false;
    this.#row = 0;
    this.#column = undefined;
  }

  get #line(): ScreenRow {
    return this.#rows[this.#row] as ScreenRow;
  }

  get #currentColumn(): number {
    return this.#column ?? this.#line.width;
  }

  /** The way nearly all text goes, so chunks are not taken apart. */
  #append(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      this.#line.append(text);
    } else {
      this.#above += this.#line.render() + text.slice(0, end);
      this.#rows = [new ScreenRow(this.#work, text.slice(end))];
      if (this.#above.length > this.#tidyAt) this.#tidy();
    }
    this.#freezeLongLine();
  }

  /** So much text comes that no cursor will reach what is there now. */
  #scrollAway(text: string): void {
    this.finish();
    this.#append(text);
  }

  /** Hands on what no cursor can reach, of what is not laid out. */
  #tidy(): void {
    this.#handOnAbove(startOfLastLines(this.#above, this.#size.rows - 1));
    this.#handOnAbove(endOfLongLines(this.#above, this.#size.columns));
    this.#tidyAt = Math.max(tidySize, 2 * this.#above.length);
  }

  #layOut(): void {
    if (this.#isLaidOut) return;
    this.#isLaidOut = true;
    this.#work.steps += this.#above.length;
    this.#tidy();
    const lines = this.#above === "" ? [] : this.#above.slice(0, -1).split("\n");
    this.#above = "";
    this.#rows.unshift(...lines.map((line) => new ScreenRow(this.#work, line)));
    this.#row += lines.length;
  }

  /** Writes a part of a line where the cursor is. */
  #write(text: string): void {
    if (this.#column === undefined && this.#line.text !== null) {
      this.#line.append(text);
      this.#freezeLongLine();
      return;
    }
    let column = this.#currentColumn;
    for (const character of text) {
      const isAtEnd = column >= this.#line.width;
      if (isAtEnd && column >= this.#size.columns) column = this.#freeze();
      // At the end of a line a tab stays what it is; elsewhere it only moves.
      if (character === "\t" && column !== this.#line.width) column = this.#reachable(nextTabStop(column));
      else column = this.#line.write(column, character);
    }
    this.#setColumn(column);
  }

  #lineFeed(): void {
    this.#row++;
    if (this.#row < this.#rows.length) return void this.#moveTo(0);
    this.#column = undefined;
    this.#rows.push(new ScreenRow(this.#work));
    if (this.#rows.length <= this.#size.rows) return;
    this.#handOn(`${this.#rows.shift()?.render()}\n`);
    this.#row--;
  }

  #moveTo(column: number): 0 {
    this.#work.steps++;
    this.#setColumn(this.#reachable(column));
    return 0;
  }

  #reachable(column: number): number {
    if (column < emptyColumns) return Math.max(0, Math.min(column, this.#size.columns - 1));
    return Math.min(column, Math.max(emptyColumns - 1, this.#line.width), this.#size.columns - 1);
  }

  #setColumn(column: number): void {
    const { text } = this.#line;
    const isEnd = text === null ? column === this.#line.width : text === "" && column === 0;
    this.#column = isEnd ? undefined : column;
  }

  /** Up to the top of the screen and down to its bottom; only a line feed makes new lines there. */
  #moveRows(count: number): number {
    const column = this.#currentColumn;
    const from = this.#row;
    this.#row = Math.max(0, Math.min(from + count, Math.max(from, this.#size.rows - 1)));
    while (this.#rows.length <= this.#row) {
      this.#rows.push(new ScreenRow(this.#work));
      this.#work.steps++;
    }
    this.#moveTo(column);
    return this.#row - from;
  }

  #eraseLine(which: number): 0 {
    const isAtEnd = this.#column === undefined;
    if (isAtEnd && which === 0) return 0;
    const column = this.#currentColumn;
    if (which === 0) this.#line.eraseFrom(column);
    if (which === 1) this.#line.eraseUpTo(column);
    if (which === 2) this.#line.clear();
    return this.#moveTo(column);
  }

  #eraseScreen(which: number): 0 {
    if (which > 2) return 0; // what has scrolled out of the screen stays
    if (which > 0) for (const row of this.#rows.slice(0, this.#row)) row.clear();
    if (which !== 1) this.#rows.length = this.#row + 1;
    return this.#eraseLine(which);
  }

  #freezeLongLine(): void {
    const text = this.#line.text ?? "";
    const end = endOfLongLine(text, this.#size.columns);
    if (end === 0) return;
    this.#handOn(this.#above + this.#linesAbove() + text.slice(0, end));
    this.#above = "";
    this.#rows = [new ScreenRow(this.#work, text.slice(end))];
    this.#row = 0;
  }

  /** Makes a line that is full final, with everything above it. Returns the column to go on at. */
  #freeze(): number {
    this.#handOn(this.#linesAbove() + this.#line.render(Number.POSITIVE_INFINITY));
    this.#rows.splice(0, this.#row);
    this.#row = 0;
    this.#line.clear();
    return 0;
  }

  #linesAbove(): string {
    return this.#rows
      .slice(0, this.#row)
      .map((row) => `${row.render()}\n`)
      .join("");
  }

  #handOnAbove(end: number): void {
    if (end === 0) return;
    this.#handOn(this.#above.slice(0, end));
    this.#above = this.#above.slice(end);
  }

  #handOn(text: string): void {
    this.#work.steps += text.length;
    this.#onFinal(text);
  }

  /** Without what nobody sees: blanks to the right of the cursor, empty lines below it. */
  #visibleRows(): string[] {
    const cursor = this.#column ?? Number.POSITIVE_INFINITY;
    const rows = this.#rows.map((row, index) => row.render(index === this.#row ? cursor : 0));
    while (rows.length > this.#row + 1 && rows.at(-1)?.trimEnd() === "") rows.pop();
    const lastLineHasEnded = rows.length < this.#rows.length && rows.at(-1) !== "";
    return lastLineHasEnded ? [...rows, ""] : rows;
  }
}

const movements = new Set("ABCDEFGHfJK");

/** Whether so many lines end in a text from some place on. */
function hasLines(text: string, from: number, count: number): boolean {
  let at = from - 1;
  for (let left = count; left > 0; left--) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return false;
  }
  return true;
}
