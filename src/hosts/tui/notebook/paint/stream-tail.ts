/** Enough for many screens. */
const kept = 32 * 1024;

/**
 * The end of a growing text. A cell may print a hundred megabytes, and the view, which shows the last lines sixty times a
 * second, must not scan all of it.
 */
export class StreamTail {
  #text = "";
  #total = 0;

  /** Null as long as nothing is missing. */
  get text(): string | null {
    return this.#total > kept * 2 ? this.#text.slice(-kept) : null;
  }

  add(text: string): void {
    this.#total += text.length;
    this.#text = text.length > kept ? text.slice(-kept) : this.#text + text;
    if (this.#text.length > kept * 2) this.#text = this.#text.slice(-kept);
  }

  clear(): void {
    this.#text = "";
    this.#total = 0;
  }
}
