import { MarkdownSourceTokenizer } from "./markdown-source.ts";
import { PythonTokenizer } from "./python.ts";
import type { Token, Tokenizer } from "./token.ts";

/** A notebook as text: `# %% [code] cell:0` and so on, each cell in its own language. */
export class CellTextTokenizer implements Tokenizer {
  #cell: Tokenizer = new PythonTokenizer();

  line(text: string): readonly Token[] {
    const type = /^# %% \[(code|markdown|raw)\]/.exec(text)?.[1];
    if (type === undefined) return this.#cell.line(text);
    this.#cell = type === "code" ? new PythonTokenizer() : new MarkdownSourceTokenizer();
    return [{ kind: "accent", text }];
  }
}
