import { printableLines } from "../../../view/text/printable.ts";
import { firstRows } from "../../../view/text/rows.ts";
import type { Theme } from "../../../view/theme/theme.ts";

const mostRows = 6;

/** A function's signature, while its arguments are being typed. */
export class SignatureHelp {
  readonly #text: string;
  /** The position where the arguments begin. */
  readonly #opened: number;

  /** @param text Python's description of the function: fields such as `Signature:` and `Docstring:` */
  constructor(text: string, opened: number) {
    this.#text = text;
    this.#opened = opened;
  }

  /** Whether the cursor is still between the brackets. */
  isFor(text: string, cursor: number): boolean {
    if (cursor < this.#opened) return false;
    let depth = 1;
    for (const character of text.slice(this.#opened, cursor)) {
      if ("([{".includes(character)) depth += 1;
      if (")]}".includes(character)) depth -= 1;
      if (depth === 0) return false;
    }
    return true;
  }

  render(width: number, theme: Theme): readonly string[] {
    const { rows } = firstRows(essentials(this.#text), width - 2, mostRows);
    return rows.map((row, at) => `  ${at === 0 ? row : theme.muted(row)}`);
  }
}

/** The signature and the first paragraph of the documentation; the whole text where there are no such fields. */
function essentials(text: string): readonly string[] {
  const signature = /^(?:Init signature|Signature): *(.*)$/m.exec(text)?.[1];
  const documentation = /^Docstring:\s*([\s\S]*?)(?:\n\s*\n|\n[A-Z][a-z ]+:|$)/m.exec(text)?.[1];
  const found = [signature, documentation].filter((part) => part !== undefined && part !== "");
  return found.length === 0 ? printableLines(text) : found.flatMap((part) => printableLines(part as string));
}
