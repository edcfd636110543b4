import type { HistoryFile } from "./history-file.ts";

/** The input of this and earlier consoles, and the position that up and down have reached. */
export class History {
  readonly #file: Pick<HistoryFile, "read" | "add">;
  #earlier: Promise<readonly string[]> | null = null;
  #entries: readonly string[] = [];
  #isLoaded = false;
  /** Counted from the end; 0 is the current input. */
  #back = 0;
  #draft = "";
  #saved: Promise<void> = Promise.resolve();

  constructor(file: Pick<HistoryFile, "read" | "add">) {
    this.#file = file;
  }

  /** Loads the entries of earlier consoles at the first look back. */
  async load(): Promise<void> {
    this.#earlier ??= this.#file.read().catch(() => []);
    const earlier = await this.#earlier;
    if (!this.#isLoaded) this.#entries = [...earlier, ...this.#entries];
    this.#isLoaded = true;
  }

  /** Every entry once, latest first. */
  get latestFirst(): readonly string[] {
    return [...new Set([...this.#entries].reverse())];
  }

  /** The latest entry that begins with this text and is longer; null when there is none. */
  latestWith(beginning: string): string | null {
    const isLonger = (entry: string): boolean => entry.length > beginning.length && entry.startsWith(beginning);
    return this.#entries.findLast(isLonger) ?? null;
  }

  add(entry: string): void {
    this.#back = 0;
    const isSame = this.#entries.at(-1) === entry;
    if (entry.trim() === "" || isSame) return;
    // Before the file is read; otherwise the entry would be there twice.
    const isKnown = this.load();
    this.#saved = this.#saved
      .then(async () => {
        await isKnown;
        await this.#file.add(entry);
      })
      .catch(() => {});
    void isKnown.then(() => {
      this.#entries = [...this.#entries, entry];
    });
  }

  /** The entry before the shown one; null when there is none. @param current the current input */
  older(current: string): string | null {
    if (this.#back === 0) this.#draft = current;
    if (this.#back >= this.#entries.length) return null;
    this.#back += 1;
    return this.#entries.at(-this.#back) ?? null;
  }

  /** The entry after the shown one; at the end, the current input. */
  newer(): string | null {
    if (this.#back === 0) return null;
    this.#back -= 1;
    return this.#back === 0 ? this.#draft : (this.#entries.at(-this.#back) ?? null);
  }

  /** Settles when everything is written. */
  get saved(): Promise<void> {
    return this.#saved;
  }
}
