import { clamp } from "../../../view/text/fit.ts";
import type { Theme } from "../../../view/theme/theme.ts";

/** What could stand in a range of the text instead. */
export interface Suggestions {
  readonly matches: readonly string[];
  readonly start: number;
  readonly end: number;
}

const mostShown = 8;

/** What Tab offers when there is more than one way to go on. */
export class CompletionMenu {
  readonly suggestions: Suggestions;
  #selected = 0;

  constructor(suggestions: Suggestions) {
    this.suggestions = suggestions;
  }

  get selected(): string {
    return this.suggestions.matches[this.#selected] ?? "";
  }

  move(by: number): void {
    const { length } = this.suggestions.matches;
    this.#selected = (this.#selected + by + length) % length;
  }

  render(width: number, theme: Theme): readonly string[] {
    const { matches } = this.suggestions;
    const first = Math.max(0, Math.min(this.#selected - mostShown + 1, matches.length - mostShown));
    const rows = matches.slice(first, first + mostShown).map((match, at) => {
      const line = clamp(match, width - 2);
      return first + at === this.#selected ? `${theme.accent("❯")} ${theme.strong(line)}` : `  ${line}`;
    });
    const more = matches.length - Math.min(matches.length, mostShown);
    return more === 0 ? rows : [...rows, theme.muted(`  ${matches.length} in all`)];
  }
}

/** The longest beginning that all matches share. */
export function commonBeginning(matches: readonly string[]): string {
  const [first = "", ...others] = matches;
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  // Half a character is none.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
