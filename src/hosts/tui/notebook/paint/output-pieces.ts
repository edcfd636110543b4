import type { MimeBundle } from "../../../../kernel/events.ts";
import { joined } from "../../../../notebook/cell.ts";
import { isJsonMime, type NotebookOutput } from "../../../../notebook/output.ts";
import { displayText, type ImagePart, type RenderedDisplay } from "../../../../output/display/display-part.ts";
import { renderDisplay } from "../../../../output/display/render-display.ts";
import type { JsonObject } from "../../../../support/json/value.ts";
import type { StyleName } from "../../../../view/theme/theme.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";

/** A part of what a cell has put out, as it can be shown. */
export type PaintedPiece =
  | {
      readonly type: "text";
      readonly excerpt: Excerpt;
      readonly style: StyleName | null;
      /** Only its end is here, and it goes on. */
      readonly isTail: boolean;
    }
  | { readonly type: "picture"; readonly image: ImagePart };

/**
 * Makes pieces of outputs. HTML and pictures take a while: until they are there, what there is of plain text stands for
 * them, and `onReady` is called when there is more.
 */
export class OutputPieces {
  readonly #onReady: () => void;
  readonly #displays = new WeakMap<object, readonly PaintedPiece[]>();
  readonly #texts = new WeakMap<object, readonly PaintedPiece[]>();

  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  of(output: NotebookOutput): readonly PaintedPiece[] {
    switch (output.output_type) {
      case "stream":
        return this.#once(output, () => [text(joined(output.text as string), styleOf(output))]);
      case "error":
        return this.#once(output, () => [text(tracebackOf(output), "error")]);
      default:
        return this.#display(output.data);
    }
  }

  /** While a cell runs, its outputs are others each time. */
  ofRunning(output: NotebookOutput, tail: string | null): readonly PaintedPiece[] {
    if (output.output_type !== "stream") return this.of(output);
    if (tail !== null) return [{ ...text(tail, styleOf(output)), isTail: true }];
    const printed = joined(output.text as string);
    const isLong = printed.length > glance * 2;
    return [text(isLong ? `${printed.slice(0, glance)}\n…\n${printed.slice(-glance)}` : printed, styleOf(output))];
  }

  #once(output: NotebookOutput, make: () => readonly PaintedPiece[]): readonly PaintedPiece[] {
    const known = this.#texts.get(output) ?? make();
    this.#texts.set(output, known);
    return known;
  }

  #display(data: JsonObject): readonly PaintedPiece[] {
    const known = this.#displays.get(data);
    if (known !== undefined) return known;
    const bundle = asBundle(data);
    const isPicture = Object.keys(bundle).some((mime) => mime.startsWith("image/"));
    const standIn = isPicture ? [] : [text(joined(bundle["text/plain"] as string), null)];
    this.#displays.set(data, standIn);
    void renderDisplay(bundle).then((rendered) => {
      this.#displays.set(data, piecesOf(rendered));
      this.#onReady();
    });
    return standIn;
  }
}

/** What is shown of a running cell must not take long. */
const glance = 16 * 1024;

function styleOf({ name }: NotebookOutput & { readonly output_type: "stream" }): StyleName | null {
  return name === "stderr" ? "warning" : null;
}

function text(printed: string, style: StyleName | null): PaintedPiece & { readonly type: "text" } {
  return { type: "text", excerpt: excerptOf(printed), style, isTail: false };
}

function tracebackOf({ ename, evalue, traceback }: Extract<NotebookOutput, { output_type: "error" }>): string {
  return traceback.length === 0 ? `${ename}: ${evalue}` : traceback.join("\n");
}

/** A picture speaks for itself: the text beside it is only a stand-in such as `<Figure size 640x480>`. */
function piecesOf(rendered: RenderedDisplay): readonly PaintedPiece[] {
  const images = rendered.parts.filter((part) => part.type === "image");
  const words = images.length > 0 && /^<Figure size .*>$/.test(rendered.text) ? "" : displayText(rendered);
  const pictures = images.map((image) => ({ type: "picture", image }) as const);
  return words === "" ? pictures : [text(words, null), ...pictures];
}

/** In the file, text may be a list of lines. */
function asBundle(data: JsonObject): MimeBundle {
  return Object.fromEntries(
    Object.entries(data).map(([mime, value]) => [mime, isJsonMime(mime) ? value : joined(value)]),
  );
}
