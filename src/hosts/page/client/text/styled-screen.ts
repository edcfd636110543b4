import { type VtHandler, VtParser } from "../../../../output/terminal/vt-parser.ts";
import { plainStyle, styleAfter, type TextStyle } from "./text-style.ts";

/** Text in one style. */
export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

type Row = StyledText[];

/** Some output as a wide terminal would show it: lines with colours, and progress bars in their last state. */
export class StyledScreen implements VtHandler {
  readonly #parser = new VtParser();
  readonly #rows: Row[] = [[]];
  #style: TextStyle = plainStyle;
  #row = 0;
  /** `null` is the end of the line. */
  #column: number | null = null;

  write(text: string): void {
    this.#parser.feed(text, this);
  }

  get rows(): readonly (readonly StyledText[])[] {
    return this.#rows;
  }

  text(text: string): void {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) this.#moveTo(this.#row + 1, 0);
      if (line !== "") this.#print(line);
    }
  }

  carriageReturn(): void {
    this.#column = 0;
  }

  backspace(): void {
    this.#column = Math.max(0, this.#at - 1);
  }

  sequence(final: string, parameters: string): void {
    const numbers = parameters.split(/[;:]/).map(Number);
    const count = numbers[0] || 1;
    switch (final) {
      case "m":
        this.#style = styleAfter(this.#style, numbers);
        return;
      case "A":
        return this.#moveTo(this.#row - count, this.#at);
      case "B":
        return this.#moveTo(this.#row + count, this.#at);
      case "C":
        return this.#moveTo(this.#row, this.#at + count);
      case "D":
        return this.#moveTo(this.#row, this.#at - count);
      case "G":
        return this.#moveTo(this.#row, count - 1);
      case "H":
      case "f":
        return this.#moveTo((numbers[0] || 1) - 1, (numbers[1] || 1) - 1);
      case "K":
        return this.#erase(numbers[0] ?? 0);
    }
  }

  /** The column of the cursor. */
  get #at(): number {
    return this.#column ?? lengthOf(this.#current);
  }

  get #current(): Row {
    return this.#rows[this.#row] as Row;
  }

  #moveTo(row: number, column: number): void {
    // A few bytes must not make pages of empty lines.
    this.#row = Math.min(Math.max(0, row), this.#rows.length);
    if (this.#row === this.#rows.length) this.#rows.push([]);
    this.#column = column <= 0 && this.#current.length === 0 ? null : Math.max(0, column);
  }

  #print(text: string): void {
    const row = this.#current;
    const length = lengthOf(row);
    if (this.#column === null || this.#column === length) {
      push(row, { text, style: this.#style });
      this.#column = null;
      return;
    }
    const start = Math.min(this.#column, length + 256);
    const before = cut(row, 0, start);
    const gap = start - lengthOf(before);
    if (gap > 0) push(before, { text: " ".repeat(gap), style: plainStyle });
    push(before, { text, style: this.#style });
    for (const run of cut(row, start + text.length, length)) push(before, run);
    this.#rows[this.#row] = before;
    this.#column = start + text.length;
  }

  #erase(how: number): void {
    const row = this.#current;
    if (how === 0) this.#rows[this.#row] = cut(row, 0, this.#at);
    else if (how === 2) this.#rows[this.#row] = [];
  }
}

function lengthOf(row: Row): number {
  let length = 0;
  for (const { text } of row) length += text.length;
  return length;
}

function push(row: Row, run: StyledText): void {
  const last = row.at(-1);
  if (last?.style === run.style) row[row.length - 1] = { text: last.text + run.text, style: run.style };
  else row.push(run);
}

function cut(row: Row, from: number, to: number): Row {
  const kept: Row = [];
  let at = 0;
  for (const { text, style } of row) {
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (part !== "") kept.push({ text: part, style });
    at += text.length;
  }
  return kept;
}
