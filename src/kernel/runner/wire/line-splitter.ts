/** The runner's own longest is a call with 64 MB of arguments: a longer line comes from other code, and may never end. */
const longestFrame = 64 * 1024 * 1024;

/** Cuts what arrives on a socket into lines of ASCII. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #longest: number;
  #partial: string[] = [];
  #partialLength = 0;

  constructor(onLine: (line: string) => void, longest = longestFrame) {
    this.#onLine = onLine;
    this.#longest = longest;
  }

  /** Throws at a line that is too long. */
  push(chunk: Buffer): void {
    const text = chunk.toString("latin1"); // the wire is ASCII, and this is the fastest way to read it
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      let line = text.slice(start, end);
      if (this.#partial.length > 0) {
        line = this.#partial.join("") + line;
        this.#partial = [];
        this.#partialLength = 0;
      }
      start = end + 1;
      this.#onLine(line);
    }
    if (start === text.length) return;
    this.#partial.push(text.slice(start));
    this.#partialLength += text.length - start;
    if (this.#partialLength > this.#longest) throw new Error("A line without an end.");
  }

  /** The bytes after the last line. */
  rest(): string {
    return this.#partial.join("");
  }
}
