import type { Completion, MatchDetail } from "../../../kernel/kernel.ts";
import { clamp } from "../../../view/text/fit.ts";
import { oneLine } from "../../../view/text/printable.ts";
import { visibleWidth } from "../../../view/text/styled-text.ts";
import type { Theme } from "../../../view/theme/theme.ts";

/** Replacements for a range of the text. */
export type Suggestions = Completion;

const mostShown = 8;
/** The names' share of the width, so that signatures have room; a longer name is shown whole, without its signature. */
const nameShare = 0.5;

/** The choices that Tab offers when there are several. */
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
    const { matches, details = [] } = this.suggestions;
    const first = Math.max(0, Math.min(this.#selected - mostShown + 1, matches.length - mostShown));
    const shown = matches.slice(first, first + mostShown).map((match) => clamp(oneLine(match), width - 2));
    const room = Math.floor(width * nameShare);
    const nameWidth = Math.max(0, ...shown.map(visibleWidth).filter((each) => each <= room));
    const kindWidth = Math.max(0, ...details.slice(first, first + mostShown).map(({ kind }) => kind.length));
    const rows = shown.map((name, at) => {
      const isSelected = first + at === this.#selected;
      const left = `${isSelected ? theme.accent("❯") : " "} ${isSelected ? theme.strong(name) : name}`;
      const about = describe(details[first + at], kindWidth);
      const gap = " ".repeat(Math.max(0, nameWidth - visibleWidth(name)) + 2);
      const rest = width - 2 - visibleWidth(name) - gap.length;
      return about === "" || rest <= 0 ? left : left + gap + theme.muted(clamp(about, rest));
    });
    const more = matches.length - Math.min(matches.length, mostShown);
    return more === 0 ? rows : [...rows, theme.muted(`  ${matches.length} in all`)];
  }
}

/** `function  (by, *, times=1)` */
function describe(detail: MatchDetail | undefined, kindWidth: number): string {
  if (detail === undefined) return "";
  return `${detail.kind.padEnd(kindWidth)}  ${oneLine(detail.signature ?? "")}`.trimEnd();
}

/** The longest common prefix of all matches. */
export function commonBeginning(matches: readonly string[]): string {
  const [first = "", ...others] = matches;
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1;
  }
  // Never cut a surrogate pair.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
