import { type StoredEvent, storedEvent } from "../../../../execute/notebook/stored-event.ts";
import { joined } from "../../../../notebook/cell.ts";
import type { NotebookOutput } from "../../../../notebook/output.ts";
import {
  displayText,
  type ImagePart,
  isStandIn,
  type RenderedDisplay,
} from "../../../../output/display/display-part.ts";
import { renderDisplay } from "../../../../output/display/render-display.ts";
import type { StyleName } from "../../../../view/theme/theme.ts";
import { type Excerpt, excerptOf } from "./excerpt.ts";

/** A part of a cell's output, ready to show. */
export type PaintedPiece =
  | {
      readonly type: "text";
      readonly excerpt: Excerpt;
      readonly style: StyleName | null;
      /** Only the end of it, and more will follow. */
      readonly isTail: boolean;
    }
  | { readonly type: "picture"; readonly image: ImagePart };

/**
 * Converts outputs to pieces. HTML and pictures take a while: until they are ready, plain text stands in for
 * them; then `onReady` is called.
 */
export class OutputPieces {
  readonly #onReady: () => void;
  readonly #known = new WeakMap<object, readonly PaintedPiece[]>();

  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  of(output: NotebookOutput): readonly PaintedPiece[] {
    // While a cell runs, its output objects are new each time, but its displays are the same.
    const key = "data" in output ? output.data : output;
    const known = this.#known.get(key) ?? this.#make(storedEvent(output), key);
    this.#known.set(key, known);
    return known;
  }

  /** Must be fast: it runs for every update while a cell prints. */
  ofRunning(output: NotebookOutput, tail: string | null): readonly PaintedPiece[] {
    if (output.output_type !== "stream") return this.of(output);
    if (tail !== null) return [{ ...text(tail, styleOf(output)), isTail: true }];
    const printed = joined(output.text);
    const isLong = printed.length > glance * 2;
    return [text(isLong ? `${printed.slice(0, glance)}\n…\n${printed.slice(-glance)}` : printed, styleOf(output))];
  }

  #make(event: StoredEvent, key: object): readonly PaintedPiece[] {
    switch (event.type) {
      case "stream":
        return [text(event.text, styleOf(event))];
      case "error":
        return [text(event.traceback.join("\n"), "error")];
      case "display":
        return this.#display(event, key);
    }
  }

  #display({ data, metadata }: StoredEvent & { readonly type: "display" }, key: object): readonly PaintedPiece[] {
    void renderDisplay(data, metadata).then((rendered) => {
      this.#known.set(key, piecesOf(rendered));
      this.#onReady();
    });
    const isPicture = Object.keys(data).some((mime) => mime.startsWith("image/"));
    return isPicture ? [] : [text(joined(data["text/plain"]), null)];
  }
}

const glance = 16 * 1024;

function styleOf({ name }: { readonly name: string }): StyleName | null {
  return name === "stderr" ? "warning" : null;
}

function text(printed: string, style: StyleName | null): PaintedPiece & { readonly type: "text" } {
  return { type: "text", excerpt: excerptOf(printed), style, isTail: false };
}

/** A picture needs no text beside it. */
function piecesOf(rendered: RenderedDisplay): readonly PaintedPiece[] {
  const pictures = rendered.parts.filter((part) => part.type === "image");
  const { text: says, begins, parts } = rendered;
  const words = pictures.length > 0 && isStandIn(says, begins, parts) ? "" : displayText(rendered);
  const drawn = pictures.map((image) => ({ type: "picture", image }) as const);
  return words === "" ? drawn : [text(words, null), ...drawn];
}
