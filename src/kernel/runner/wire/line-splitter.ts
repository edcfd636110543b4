/** Far more than any line of the runner: a longer line comes from other code, and may never end. */
const longestLine = 128 * 1024 * 1024;

/** Cuts what arrives on a socket into lines of ASCII. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #partial: string[] = [];
  #partialLength = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

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
    if (this.#partialLength > longestLine) throw new Error("A line without an end.");
  }

  /** The bytes after the last line. */
  rest(): string {
    return this.#partial.join("");
  }
}
