import { clamp } from "../../../view/text/fit.ts";
import { oneLine } from "../../../view/text/printable.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import type { Key } from "../keys.ts";
import { cursor } from "../screen.ts";

const mostShown = 8;

/** Ctrl-R: the entries that contain the typed text. */
export class HistorySearch {
  readonly #entries: readonly string[];
  #wanted = "";
  #selected = 0;

  /** @param entries latest first */
  constructor(entries: readonly string[]) {
    this.#entries = entries;
  }

  /** The entry that Enter takes; null without a match. */
  get found(): string | null {
    return this.#matches[this.#selected] ?? null;
  }

  /** False for a key that ends the search. */
  press(key: Key): boolean {
    if (key.type !== "key") this.#want(this.#wanted + key.text.replaceAll("\n", " "));
    else if (key.name === "backspace") this.#want([...this.#wanted].slice(0, -1).join(""));
    else if (key.name === "ctrl+r" || key.name === "up") this.#select(this.#selected + 1);
    else if (key.name === "ctrl+s" || key.name === "down") this.#select(this.#selected - 1);
    else return false;
    return true;
  }

  render(width: number, theme: Theme): readonly string[] {
    const matches = this.#matches;
    const first = Math.max(0, this.#selected - mostShown + 1);
    const shown = matches.slice(first, first + mostShown).map((entry, at) => {
      const line = clamp(oneLine(entry), width - 2);
      return first + at === this.#selected ? `${theme.accent("❯")} ${theme.strong(line)}` : `  ${theme.muted(line)}`;
    });
    const none = this.#matches.length === 0 ? [theme.muted("  no match in the history")] : [];
    return [`${theme.accent("history:")} ${this.#wanted}${cursor}`, ...shown, ...none];
  }

  get #matches(): readonly string[] {
    const wanted = this.#wanted.toLowerCase();
    return this.#entries.filter((entry) => entry.toLowerCase().includes(wanted));
  }

  #want(wanted: string): void {
    this.#wanted = wanted;
    this.#selected = 0;
  }

  #select(at: number): void {
    this.#selected = Math.max(0, Math.min(at, this.#matches.length - 1));
  }
}
