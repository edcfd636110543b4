/** The edited text and the cursor's position in it. Positions are in UTF-16 units and never inside a character. */
export class TextBuffer {
  #text = "";
  #cursor = 0;
  /** The column that up and down try to keep. */
  #wantedColumn: number | null = null;
  #killed = "";
  readonly #undo: { readonly text: string; readonly cursor: number }[] = [];

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  get beforeCursor(): string {
    return this.#text.slice(0, this.#cursor);
  }

  /** Start and end of the cursor's line. */
  get line(): { readonly start: number; readonly end: number } {
    const start = this.#text.lastIndexOf("\n", this.#cursor - 1) + 1;
    const end = this.#text.indexOf("\n", this.#cursor);
    return { start: this.#cursor === 0 ? 0 : start, end: end === -1 ? this.#text.length : end };
  }

  get isOnFirstLine(): boolean {
    return this.line.start === 0;
  }

  get isOnLastLine(): boolean {
    return this.line.end === this.#text.length;
  }

  /** Replaces the text; the cursor moves to its end by default. */
  set(text: string, cursor = text.length): void {
    this.#replace(0, this.#text.length, text);
    this.#cursor = cursor;
  }

  insert(text: string): void {
    this.replace(this.#cursor, this.#cursor, text);
  }

  /** Replaces a range; the cursor moves to the end of the new text. */
  replace(start: number, end: number, text: string): void {
    this.#replace(start, end, text);
    this.#cursor = start + text.length;
  }

  deleteBefore(): void {
    this.replace(previous(this.#text, this.#cursor), this.#cursor, "");
  }

  deleteAfter(): void {
    this.replace(this.#cursor, next(this.#text, this.#cursor), "");
  }

  deleteWordBefore(): void {
    this.#kill(wordStart(this.#text, this.#cursor), this.#cursor);
  }

  deleteWordAfter(): void {
    this.#kill(this.#cursor, wordEnd(this.#text, this.#cursor));
  }

  /** Deletes to the end of the line; at its end, deletes the line end. */
  deleteToLineEnd(): void {
    const { end } = this.line;
    this.#kill(this.#cursor, end === this.#cursor ? Math.min(end + 1, this.#text.length) : end);
  }

  deleteToLineStart(): void {
    this.#kill(this.line.start, this.#cursor);
  }

  /** Inserts the last deleted word or line. */
  insertDeleted(): void {
    this.insert(this.#killed);
  }

  undo(): void {
    const before = this.#undo.pop();
    if (before === undefined) return;
    this.#text = before.text;
    this.#cursor = before.cursor;
  }

  left(): void {
    this.#moveTo(previous(this.#text, this.#cursor));
  }

  right(): void {
    this.#moveTo(next(this.#text, this.#cursor));
  }

  wordLeft(): void {
    this.#moveTo(wordStart(this.#text, this.#cursor));
  }

  wordRight(): void {
    this.#moveTo(wordEnd(this.#text, this.#cursor));
  }

  /** Moves to the first character of the line's text; from there, to the start of the line. */
  lineStart(): void {
    const { start, end } = this.line;
    const indent = /^[ \t]*/.exec(this.#text.slice(start, end))?.[0].length ?? 0;
    this.#moveTo(this.#cursor === start + indent ? start : start + indent);
  }

  lineEnd(): void {
    this.#moveTo(this.line.end);
  }

  textStart(): void {
    this.#moveTo(0);
  }

  textEnd(): void {
    this.#moveTo(this.#text.length);
  }

  up(): void {
    const { start } = this.line;
    if (start > 0) this.#moveToLine(start - 1);
  }

  down(): void {
    const { end } = this.line;
    if (end < this.#text.length) this.#moveToLine(end + 1);
  }

  /** @param inLine any position in the target line */
  #moveToLine(inLine: number): void {
    const column = this.#wantedColumn ?? this.#cursor - this.line.start;
    this.#cursor = inLine;
    const { start, end } = this.line;
    this.#cursor = whole(this.#text, Math.min(start + column, end));
    this.#wantedColumn = column;
  }

  #moveTo(position: number): void {
    this.#cursor = position;
    this.#wantedColumn = null;
  }

  #kill(start: number, end: number): void {
    if (start === end) return;
    this.#killed = this.#text.slice(start, end);
    this.replace(start, end, "");
  }

  #replace(start: number, end: number, text: string): void {
    if (start === end && text === "") return;
    this.#undo.push({ text: this.#text, cursor: this.#cursor });
    if (this.#undo.length > mostUndo) this.#undo.shift();
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#wantedColumn = null;
  }
}

const mostUndo = 500;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Long enough for any character that people see as one. */
const reach = 64;

/** The end of the character that begins here. */
function next(text: string, at: number): number {
  const first = segmenter
    .segment(text.slice(at, at + reach))
    [Symbol.iterator]()
    .next();
  return first.done ? at : at + first.value.segment.length;
}

/** The beginning of the character that ends here. */
function previous(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - reach), at);
  const last = [...segmenter.segment(before)].at(-1);
  return last === undefined ? at : at - last.segment.length;
}

/** The beginning of the character that a position is in. */
function whole(text: string, at: number): number {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  let start = lineStart;
  for (const { segment, index } of segmenter.segment(text.slice(lineStart, at + reach))) {
    if (lineStart + index > at) break;
    start = lineStart + index;
    if (start + segment.length > at) break;
  }
  return at >= text.length ? text.length : text[at] === "\n" ? at : start;
}

function wordStart(text: string, at: number): number {
  const before = text.slice(0, at);
  return at - (/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u.exec(before)?.[0].length ?? 0);
}

function wordEnd(text: string, at: number): number {
  return at + (/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u.exec(text.slice(at))?.[0].length ?? 0);
}
