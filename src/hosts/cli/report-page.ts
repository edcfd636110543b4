import type { Styles } from "./styles.ts";
import { wrap } from "./wrap.ts";

/** How wide a report is, and what it looks like. */
export class Page {
  readonly styles: Styles;
  readonly #columns: number;

  constructor(styles: Styles, columns: number) {
    this.styles = styles;
    this.#columns = columns;
  }

  section(title: string, lines: readonly string[]): string {
    return [this.styles.bold(title), ...lines.map((line) => `  ${line}`.trimEnd())].join("\n");
  }

  /** What still fits beside so many columns. */
  besides(taken: number): number {
    return this.#columns - 2 - taken;
  }

  text(text: string): readonly string[] {
    return wrap(text, this.besides(0));
  }

  /** Text behind something short; its further lines begin below its first. */
  beside(start: string, width: number, text: string): readonly string[] {
    return wrap(text, this.besides(width)).map((line, index) => (index === 0 ? start : " ".repeat(width)) + line);
  }
}
