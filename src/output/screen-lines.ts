import { nextTabStop, widthOf } from "./cells.ts";
import { erased, overwritten, withoutBlanksAfter } from "./line-editing.ts";
import { endOfLongLine, endOfLongLines, linesIn, startOfLastLines } from "./line-reach.ts";
import type { VtHandler } from "./vt-parser.ts";

export interface ScreenSize {
  /** How many lines, counted from the last, a program can still rewrite. */
  readonly rows: number;
  /** How long a line can be and still be rewritten; of a longer one, only what comes after so many characters. */
  readonly columns: number;
}

export interface Cursor {
  readonly rowsAbove: number;
  /** As far as there is something to be seen. */
  readonly rowsBelow: number;
  readonly column: number;
}

const screenSize: ScreenSize = { rows: 100, columns: 8192 };
const tidySize = 64 * 1024;

/**
 * The lines that a very wide terminal would show. Progress bars come to their last state here, because what is
 * overwritten is gone. A line that can no longer be rewritten is handed on, so that endless output needs little memory.
 */
export class ScreenLines implements VtHandler {
  readonly #onFinal: (text: string) => void;
  readonly #size: ScreenSize;
  /** Whole lines above `#rows`. They may reach further up than the screen does: that is looked at only when it matters. */
  #above = "";
  #tidyAt = tidySize;
  /** The last lines; more than one only while the cursor is, or has been, further up. */
  #rows = [""];
  #row = 0;
  /** `undefined` is the end of the line, which needs no measuring: nearly all output is just text after text. */
  #column: number | undefined;

  constructor(onFinal: (text: string) => void, size = screenSize) {
    this.#onFinal = onFinal;
    this.#size = size;
  }

  text(text: string): void {
    let rest = text;
    while (rest !== "" && !this.isAtEnd) rest = this.#overwrite(rest);
    if (rest !== "") this.#append(rest);
  }

  carriageReturn(): void {
    this.#moveTo(0);
  }

  backspace(): void {
    this.#moveTo(this.#currentColumn - 1);
  }

  /**
   * Cursor movements and erasing, as progress bars use them; all others change nothing here.
   * @returns by how many rows the cursor has moved down
   */
  sequence(final: string, parameters: string): number {
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
      case "K":
        return this.#eraseLine(first);
      default:
        return 0;
    }
  }

  /** Where the cursor is, on what the program can still reach. */
  findCursor(): Cursor {
    this.settle();
    const rowsAbove = this.#row + linesIn(this.#above);
    return { rowsAbove, rowsBelow: this.#visibleRows().length - 1 - this.#row, column: this.#currentColumn };
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
    this.#handOn(startOfLastLines(this.#above, this.#size.rows - this.#rows.length));
    this.#handOn(endOfLongLines(this.#above, this.#size.columns));
    this.#tidyAt = Math.max(tidySize, 2 * this.#above.length);
  }

  /** Hands on everything: what is there can no longer be rewritten. */
  finish(): void {
    const current = this.current;
    this.clear();
    if (current !== "") this.#onFinal(current);
  }

  clear(): void {
    this.#above = "";
    this.#rows = [""];
    this.#row = 0;
    this.#column = undefined;
  }

  get #currentColumn(): number {
    return this.#column ?? widthOf(this.#line);
  }

  get #line(): string {
    return this.#rows[this.#row] as string;
  }

  set #line(line: string) {
    this.#rows[this.#row] = line;
  }

  /** After everything else: the way nearly all text goes, so chunks are not taken apart. */
  #append(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) {
      this.#line += text;
    } else {
      this.#above += this.#rows.join("\n") + text.slice(0, end);
      this.#rows = [text.slice(end)];
      this.#row = 0;
      if (this.#above.length > this.#tidyAt) this.settle();
    }
    this.#freezeLongLine();
  }

  /** Writes text up to the next tab or line feed, or one of these, over what is there. Returns the rest. */
  #overwrite(text: string): string {
    const end = text.search(/[\t\n]/);
    if (end === 0) {
      if (text.startsWith("\n")) this.#lineFeed();
      else this.#tab();
      return text.slice(1);
    }
    const part = end === -1 ? text : text.slice(0, end);
    this.#put(part);
    return text.slice(part.length);
  }

  #put(text: string): void {
    if (this.#column === undefined) {
      this.#line += text;
    } else {
      this.#line = overwritten(this.#line, this.#column, text);
      this.#setColumn(this.#column + widthOf(text));
    }
    this.#freezeLongLine();
  }

  /** At the end of a line a tab stays what it is; elsewhere it only moves. */
  #tab(): void {
    if (this.#column === undefined) this.#put("\t");
    else this.#moveTo(nextTabStop(this.#column));
  }

  #lineFeed(): void {
    if (this.#row === this.#rows.length - 1) {
      this.#column = undefined;
      this.#append("\n");
    } else {
      this.#row++;
      this.#moveTo(0);
    }
  }

  #moveTo(column: number): 0 {
    this.#setColumn(Math.max(0, Math.min(column, this.#size.columns - 1)));
    return 0;
  }

  #setColumn(column: number): void {
    this.#column = column === widthOf(this.#line) ? undefined : column;
  }

  /** Up to the top of the screen and down to its bottom; only a line feed makes new lines there. */
  #moveRows(count: number): number {
    const column = this.#currentColumn;
    this.settle();
    if (count < 0) this.#reachUp(-count - this.#row);
    const from = this.#row;
    const lowest = this.#size.rows - linesIn(this.#above) - 1;
    this.#row = Math.max(0, Math.min(from + count, Math.max(from, lowest)));
    while (this.#rows.length <= this.#row) this.#rows.push("");
    this.#moveTo(column);
    return this.#row - from;
  }

  #eraseLine(which: number): 0 {
    const column = this.#currentColumn;
    this.#line = erased(this.#line, column, which);
    return this.#moveTo(column);
  }

  #eraseScreen(which: number): 0 {
    if (which > 2) return 0; // what has scrolled out of the screen stays
    if (which > 0) {
      this.#reachUp(this.#size.rows);
      this.#rows.fill("", 0, this.#row);
    }
    if (which !== 1) this.#rows.length = this.#row + 1;
    return this.#eraseLine(which);
  }

  /** Takes up to so many lines from above, as far as the screen reaches. */
  #reachUp(count: number): void {
    for (let left = count; left > 0 && this.#above !== "" && this.#rows.length < this.#size.rows; left--) {
      const start = startOfLastLines(this.#above, 1);
      this.#rows.unshift(this.#above.slice(start, -1));
      this.#row++;
      this.#above = this.#above.slice(0, start);
      this.#freeze(0, endOfLongLine(this.#rows[0] as string, this.#size.columns));
    }
  }

  #freezeLongLine(): void {
    if (this.#column === undefined) this.#freeze(this.#row, endOfLongLine(this.#line, this.#size.columns));
  }

  /** Makes everything final that is above this place. */
  #freeze(row: number, at: number): void {
    if (at === 0) return;
    const [line = "", ...below] = this.#rows.slice(row);
    this.#onFinal(this.#above + [...this.#rows.slice(0, row), line.slice(0, at)].join("\n"));
    this.#above = "";
    this.#rows = [line.slice(at), ...below];
    this.#row -= row;
  }

  #handOn(end: number): void {
    if (end === 0) return;
    this.#onFinal(this.#above.slice(0, end));
    this.#above = this.#above.slice(end);
  }

  /** Without what nobody sees: blanks to the right of the cursor, empty lines below it. */
  #visibleRows(): string[] {
    const rows = [...this.#rows];
    if (this.#column !== undefined) rows[this.#row] = withoutBlanksAfter(this.#line, this.#column);
    while (rows.length > this.#row + 1 && rows.at(-1)?.trimEnd() === "") rows.pop();
    const lastLineHasEnded = rows.length < this.#rows.length && rows.at(-1) !== "";
    return lastLineHasEnded ? [...rows, ""] : rows;
  }
}
