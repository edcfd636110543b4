import { wrapWords } from "../../../view/text/wrap.ts";
import type { Theme } from "../../../view/theme/theme.ts";

/** The width and the colours of a report. */
export class Page {
  readonly theme: Theme;
  readonly #columns: number;

  constructor(theme: Theme, columns: number) {
    this.theme = theme;
    this.#columns = columns;
  }

  section(title: string, lines: readonly string[]): string {
    return [this.theme.title(title), ...lines.map((line) => `  ${line}`.trimEnd())].join("\n");
  }

  /** The width that remains beside so many columns. */
  besides(taken: number): number {
    return this.#columns - 2 - taken;
  }

  text(text: string): readonly string[] {
    return this.#wrapped(text, this.besides(0));
  }

  /** Text after a short label; further lines are indented to its first. */
  beside(start: string, width: number, text: string): readonly string[] {
    const lines = this.#wrapped(text, this.besides(width));
    return lines.map((line, index) => (index === 0 ? start : " ".repeat(width)) + line);
  }

  /** Does not break paths. */
  #wrapped(text: string, columns: number): readonly string[] {
    return text.split("\n").flatMap((line) => wrapWords(line, columns, { keepsWords: true }));
  }
}
