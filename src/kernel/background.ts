import type { StreamName } from "./events.ts";

const keptCharacters = 64 * 1024;

/** Output that belongs to no cell: handed to listeners, or kept for the first one. */
export class BackgroundStream {
  readonly #listeners: ((text: string, name: StreamName) => void)[] = [];
  #kept: { readonly text: string; readonly name: StreamName }[] = [];
  #keptLength = 0;

  push(name: StreamName, text: string): void {
    if (this.#listeners.length > 0) {
      for (const listener of this.#listeners) listener(text, name);
      return;
    }
    this.#kept.push({ text, name });
    this.#keptLength += text.length;
    while (this.#keptLength > keptCharacters && this.#kept.length > 1) {
      this.#keptLength -= this.#kept.shift()?.text.length ?? 0;
    }
  }

  listen(listener: (text: string, name: StreamName) => void): void {
    this.#listeners.push(listener);
    for (const { text, name } of this.#kept) listener(text, name);
    this.#kept = [];
    this.#keptLength = 0;
  }
}
