import type { TextBuffer } from "../editor/text-buffer.ts";
import type { History } from "../history/history.ts";
import type { Key } from "../keys.ts";

/** The latest history entry that begins with the current text; shown dimmed after the cursor until a key accepts it. */
export class Suggestion {
  readonly #history: Pick<History, "load" | "latestWith">;
  readonly #onLoad: () => void;
  #isLoading = false;

  constructor(history: Pick<History, "load" | "latestWith">, onLoad: () => void) {
    this.#history = history;
    this.#onLoad = onLoad;
  }

  /** The suggested continuation; empty without a suggestion, or when the cursor is not at the end. */
  restFor({ text, cursor }: Pick<TextBuffer, "text" | "cursor">): string {
    if (text.trim() === "" || cursor !== text.length) return "";
    this.#load();
    return this.#history.latestWith(text)?.slice(text.length) ?? "";
  }

  /** True when the key has accepted all of it, or a word. */
  press(key: Key, buffer: TextBuffer): boolean {
    if (key.type !== "key") return false;
    const takes = takers[key.name];
    const rest = takes === undefined ? "" : this.restFor(buffer);
    if (takes === undefined || rest === "") return false;
    buffer.insert(takes(rest));
    return true;
  }

  /** The history is read when a person types, not before the first paint. */
  #load(): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    void this.#history.load().then(this.#onLoad);
  }
}

const all = (rest: string): string => rest;
const word = (rest: string): string => /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(rest)?.[0] || rest;

/** As in fish and in IPython. */
const takers: Readonly<Record<string, ((rest: string) => string) | undefined>> = {
  right: all,
  end: all,
  "ctrl+e": all,
  "ctrl+f": all,
  "alt+f": word,
  "alt+right": word,
  "ctrl+right": word,
};
