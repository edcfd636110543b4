import { resizedText } from "../../output/display/display-part.ts";
import { withoutPlotNames } from "../../output/display/plot-names.ts";
import { type DisplayOutput, displaysIn, type OutputPart, outputOf } from "../../output/output-part.ts";
import { wholeLines } from "../../output/text/sanitize.ts";
import { sayCount } from "../../support/say-count.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";
import { type AttachedPictures, type KeepPicture, picturesIn, picturesWithin } from "./attached-pictures.ts";
import type { ContentFlow } from "./content-flow.ts";
import { pictureBytes } from "./result-budget.ts";

/** Outputs in a result: pictures that fit beside the text, where they were displayed. */
export class OutputContent {
  readonly #attached: AttachedPictures;
  /** How many pictures have been placed. */
  #told = 0;

  private constructor(attached: AttachedPictures) {
    this.#attached = attached;
  }

  /** @param outputs of all cells, in the order of the result */
  static async of(
    outputs: readonly (readonly OutputPart[])[],
    context: ToolContext,
    keep: KeepPicture,
  ): Promise<OutputContent> {
    const parts = outputs.flat();
    const room = pictureBytes(context, Buffer.byteLength(outputOf(parts)));
    return new OutputContent(await picturesWithin(picturesIn(displaysIn(parts)), room, keep));
  }

  /** Sentences about pictures that are not attached unchanged. */
  get notices(): readonly string[] {
    return this.#attached.notices;
  }

  /**
   * @param apart the separator from a text before it
   * @param nothing replaces an output without text and pictures
   */
  tell(all: readonly OutputPart[], flow: ContentFlow, apart: string, nothing: string): void {
    const parts = withoutPlotNames(all);
    const pictures = picturesIn(displaysIn(parts)).length;
    if (outputOf(parts) === "") flow.text(pictures > 0 ? `(${sayCount(pictures, "picture")})` : nothing, apart);
    let text = "";
    const endText = (): void => {
      flow.text(text.replace(/\n$/, ""), apart);
      text = "";
    };
    for (const part of parts) {
      text += part.type === "display" ? this.#textOf(part) : part.text;
      if (part.type !== "display") continue;
      for (const _ of picturesIn([part.display])) {
        const picture = this.#attached.content[this.#told++] ?? null;
        if (picture === null) continue;
        endText();
        flow.attach(picture);
      }
    }
    endText();
  }

  /** The addresses of stored displays. */
  links(parts: readonly OutputPart[]): readonly ToolContent[] {
    return displaysIn(parts).flatMap((display) =>
      display.parts.flatMap((part): readonly ToolContent[] => {
        if (part.type !== "kept" || part.address === null) return [];
        const name = this.#isResized(part.address) ? (part.name ?? part.label) : part.label;
        return [{ type: "link", uri: part.address, name, mimeType: part.mimeType }];
      }),
    );
  }

  /** The text named a size before it was known what fits. */
  #textOf({ text, display }: DisplayOutput): string {
    const isWhole = text === wholeLines(display.text);
    const kept = display.parts.filter((part) => part.type === "kept");
    if (!isWhole || kept.length === 0) return text;
    return wholeLines(resizedText(display.text, kept, (address) => this.#isResized(address)));
  }

  #isResized(address: string): boolean {
    return this.#attached.resized.has(address);
  }
}
