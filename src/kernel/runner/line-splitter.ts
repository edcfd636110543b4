/** Cuts what arrives on a socket into lines of ASCII. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #partial: string[] = [];

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
      }
      start = end + 1;
      this.#onLine(line);
    }
    if (start < text.length) this.#partial.push(text.slice(start));
  }

  /** What came after the last line. */
  rest(): string {
    return this.#partial.join("");
  }
}
