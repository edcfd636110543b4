import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";
import { typedCode } from "./typed-code.ts";

/** A `/command` as it was typed. */
export class CommandLineBlock implements TranscriptBlock {
  readonly isHeading = true;
  readonly #lines = new RenderedLines();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, "", () => typedCode(this.#text, "text", look));
  }
}
