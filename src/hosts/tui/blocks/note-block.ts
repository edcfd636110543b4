import { printableLines } from "../../../view/text/printable.ts";
import { fold, wrapWords } from "../../../view/text/wrap.ts";
import type { StyleName } from "../../../view/theme/theme.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";

/** A message from the console. */
export class NoteBlock implements TranscriptBlock {
  readonly #lines = new RenderedLines();
  readonly #text: string;
  readonly #style: StyleName | null;
  readonly #isTable: boolean;

  constructor(text: string, { style = null, isTable = false }: { style?: StyleName | null; isTable?: boolean } = {}) {
    this.#text = text;
    this.#style = style;
    this.#isTable = isTable;
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, "", () => {
      const breakLine = this.#isTable ? fold : wrapWords;
      const rows = printableLines(this.#text).flatMap((line) => breakLine(line, look.width));
      return this.#style === null ? rows : rows.map(look.theme[this.#style]);
    });
  }
}
