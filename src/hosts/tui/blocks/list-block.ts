import { wrapWords } from "../../../view/text/wrap.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";

export interface NamedList {
  readonly heading: string;
  readonly rows: readonly (readonly [name: string, meaning: string])[];
}

const margin = 2;
/** Explanations in a narrower column are hard to read. */
const leastMeaning = 24;

/** Names with explanations beside them, or below them in a narrow window. */
export class ListBlock implements TranscriptBlock {
  readonly #lines = new RenderedLines();
  readonly #lists: readonly NamedList[];

  constructor(lists: readonly NamedList[]) {
    this.#lists = lists;
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, "", () => {
      const names = this.#lists.flatMap(({ rows }) => rows.map(([name]) => name.length));
      const meaningAt = Math.max(...names) + 2 * margin;
      const explain = look.width - meaningAt >= leastMeaning ? beside(meaningAt, look.width) : below(look.width);
      const parts = this.#lists.map(({ heading, rows }) => [heading, ...rows.flatMap(explain)]);
      return parts.flatMap((part, at) => (at === 0 ? part : ["", ...part]));
    });
  }
}

type Explain = (row: readonly [name: string, meaning: string]) => readonly string[];

function beside(meaningAt: number, width: number): Explain {
  return ([name, meaning]) =>
    wrapWords(meaning, width - meaningAt).map(
      (row, at) => (at === 0 ? `${" ".repeat(margin)}${name}` : "").padEnd(meaningAt) + row,
    );
}

function below(width: number): Explain {
  const indented = (text: string, by: number): readonly string[] =>
    wrapWords(text, width - by).map((row) => " ".repeat(by) + row);
  return ([name, meaning]) => [...indented(name, margin), ...indented(meaning, 2 * margin)];
}
