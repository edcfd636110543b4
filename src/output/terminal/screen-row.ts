import { widthAt } from "../text/column-width.ts";
import { visibleText } from "../text/visible-text.ts";

/** Steps taken for some input; tests compare the number with the input's length. */
export interface StepCount {
  steps: number;
}

const blank = " ";
/** The second column of a wide character, the other columns of a tab. */
const covered = "";
const blockColumns = 64;
/** A character has at most a few accents. A rewritten line drops more of them, or one cell could grow for ever. */
const longestCell = 32;

/**
 * One line of the screen. It is a text until the cursor moves within it, and cells from then on, so that every action
 * at the cursor takes a few steps, however long the line is.
 */
export class ScreenRow {
  readonly #work: StepCount;
  #text: string | null;
  /** Blocks of cells; a missing block is blank. */
  #blocks: (string[] | undefined)[] = [];
  #firstBlock = 0;
  /** Accents without a letter. */
  #prefix = "";
  #width = 0;

  constructor(work: StepCount, text = "") {
    this.#work = work;
    this.#text = text;
  }

  /** Null once the row consists of cells. */
  get text(): string | null {
    return this.#text;
  }

  /** The column after the last written one. */
  get width(): number {
    this.#makeCells();
    return this.#width;
  }

  get isEmpty(): boolean {
    return this.#text === null ? this.#width === 0 && this.#prefix === "" : this.#text === "";
  }

  /** Appends to a row that is still a text. */
  append(text: string): void {
    this.#text += text;
  }

  /** Overwrites one character. Returns the column after it. */
  write(column: number, character: string): number {
    this.#makeCells();
    const width = widthAt(column, character);
    this.#work.steps += width + 1;
    if (width === 0) {
      this.#addAccent(column, character);
      return column;
    }
    const end = column + width;
    this.#uncover(column);
    this.#uncover(end);
    this.#set(column, character);
    for (let at = column + 1; at < end; at++) this.#set(at, covered);
    return end;
  }

  eraseFrom(column: number): void {
    this.#makeCells();
    this.#uncover(column);
    if (column === 0) this.#prefix = "";
    if (column >= this.#width) return;
    this.#width = column;
    this.#blocks.length = Math.min(this.#blocks.length, Math.ceil(column / blockColumns));
    this.#blank(column, this.#blocks.length * blockColumns);
    this.#work.steps++;
  }

  /** Erases up to and including this column. */
  eraseUpTo(column: number): void {
    this.#makeCells();
    this.#prefix = "";
    const end = column + 1;
    if (end >= this.#width) return this.clear();
    this.#uncover(end);
    const firstWhole = Math.floor(end / blockColumns);
    this.#work.steps += Math.max(0, firstWhole - this.#firstBlock);
    for (let block = this.#firstBlock; block < firstWhole; block++) this.#blocks[block] = undefined;
    this.#firstBlock = Math.max(this.#firstBlock, firstWhole);
    this.#blank(firstWhole * blockColumns, end);
  }

  clear(): void {
    this.#text = null;
    this.#blocks = [];
    this.#firstBlock = 0;
    this.#prefix = "";
    this.#width = 0;
    this.#work.steps++;
  }

  /**
   * The visible text. Progress bars are padded with blanks to cover a longer one; this drops such blanks at the end of a
   * rewritten line, unless the cursor is after them.
   */
  render(cursor = 0): string {
    if (this.#text !== null) return this.#text;
    let text = "";
    for (let start = 0; start < this.#width; start += blockColumns) {
      const length = Math.min(blockColumns, this.#width - start);
      const block = this.#blocks[start / blockColumns];
      text += block === undefined ? blank.repeat(length) : block.slice(0, length).join("");
    }
    this.#work.steps += this.#width + 1;
    // A joiner of two emoji may be alone by now.
    return visibleText(this.#prefix + withoutBlanks(text, Math.max(0, this.#width - cursor)));
  }

  #makeCells(): void {
    const text = this.#text;
    if (text === null) return;
    this.#text = null;
    let column = 0;
    for (const character of text) {
      const width = widthAt(column, character);
      this.#work.steps += width + 1;
      if (width === 0) this.#addAccent(column, character, Number.POSITIVE_INFINITY);
      else this.#set(column, character);
      for (let at = column + 1; at < column + width; at++) this.#set(at, covered);
      column += width;
    }
  }

  #addAccent(column: number, accent: string, longest = longestCell): void {
    let at = column - 1;
    while (at > 0 && this.#at(at) === covered) at--;
    if (at < 0) {
      if (this.#prefix.length < longest) this.#prefix += accent;
      return;
    }
    const cell = this.#at(at);
    if (cell.length < longest) this.#set(at, cell + accent);
  }

  /** A partly overwritten character becomes blanks: half of a wide character, a part of a tab. */
  #uncover(column: number): void {
    if (column >= this.#width || this.#at(column) !== covered) return;
    let start = column - 1;
    while (start > 0 && this.#at(start) === covered) start--;
    let end = column + 1;
    while (end < this.#width && this.#at(end) === covered) end++;
    for (let at = start; at < end; at++) this.#set(at, blank);
    this.#work.steps += end - start;
  }

  #blank(from: number, to: number): void {
    if (this.#blocks[Math.floor(from / blockColumns)] === undefined) return;
    this.#work.steps += to - from;
    for (let at = from; at < to; at++) this.#write(at, blank);
  }

  #at(column: number): string {
    return this.#blocks[Math.floor(column / blockColumns)]?.[column % blockColumns] ?? blank;
  }

  #set(column: number, cell: string): void {
    this.#write(column, cell);
    if (column >= this.#width) this.#width = column + 1;
  }

  #write(column: number, cell: string): void {
    const index = Math.floor(column / blockColumns);
    let block = this.#blocks[index];
    if (block === undefined) {
      block = Array<string>(blockColumns).fill(blank);
      this.#blocks[index] = block;
      this.#firstBlock = Math.min(this.#firstBlock, index);
      this.#work.steps += blockColumns;
    }
    block[column % blockColumns] = cell;
  }
}

/** @param most how many trailing blanks to drop at most, in columns */
function withoutBlanks(text: string, most: number): string {
  let end = text.length;
  while (end > 0 && text.length - end < most && text[end - 1] === blank) end--;
  return text.slice(0, end);
}

/** Which part of a text a cursor can still get to. */

/** Where the last so many lines begin in a text of whole lines. */
export function startOfLastLines(text: string, count: number): number {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) {
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

/** Up to where a text of whole lines is out of reach because of a line that is too long. */
export function endOfLongLines(text: string, columns: number): number {
  let end = text.length;
  while (end > columns) {
    const start = end === 1 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    const unreachable = endOfLongLine(text.slice(start, end - 1), columns);
    if (unreachable > 0) return start + unreachable;
    end = start;
  }
  return 0;
}

/** Where the part of a line begins that can still be rewritten. */
export function endOfLongLine(line: string, columns: number): number {
  let end = 0;
  while (line.length - end > columns) end += isInsideCharacter(line, end + columns) ? columns - 1 : columns;
  return end;
}

function isInsideCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
