import { stripVTControlCharacters } from "node:util";
import type { MimeBundle } from "../../../kernel/events.ts";
import type { Captured, ShownPart } from "../../../output/capture.ts";
import type { DisplayPart, RenderedDisplay, StatusEvent } from "../../../output/display/display-part.ts";
import { keptOutputLines } from "../../../view/lines/notice-lines.ts";
import { renderStatusEvents } from "../../../view/lines/status-events.ts";
import { renderMarkdown } from "../../../view/markdown.ts";
import { renderJsonLines as renderTree } from "../../../view/output/json-view.ts";
import { renderTracebackLines } from "../../../view/output/traceback.ts";
import type { PictureChoice } from "../../../view/pictures/picture-protocol.ts";
import { colouredLines } from "../../../view/text/coloured-lines.ts";
import { printableLines } from "../../../view/text/printable.ts";
import type { ViewOptions } from "../../../view/view-options.ts";
import type { CommandContext } from "../command/command-context.ts";
import { type Canvas, canvasOf } from "../terminal/canvas.ts";
import { drawPictures } from "../terminal/inline-picture.ts";
import { pictureTypes } from "../terminal/place-pictures.ts";

/** A display as text, with a line for every part that was saved to a file. */
interface DisplayToPaint extends Pick<RenderedDisplay, "text" | "begins"> {
  readonly parts: readonly (DisplayPart | ShownPart)[];
}

/** Paints for a terminal; programs get the same as plain text. */
export class TerminalPainter {
  readonly #context: CommandContext;
  readonly #pictures: PictureChoice;

  constructor(context: CommandContext, pictures: PictureChoice) {
    this.#context = context;
    this.#pictures = pictures;
  }

  /**
   * A display: its picture, its value as a tree, its markdown. Null when plain text is best.
   * @param indent columns that are taken already
   */
  async display(data: MimeBundle, shown: DisplayToPaint, indent = 0): Promise<readonly string[] | null> {
    const canvas = canvasOf(this.#context);
    const inside = { ...canvas, columns: Math.max(20, canvas.columns - indent) };
    if (pictureTypes.some((type) => typeof data[type] === "string")) {
      const drawn = await drawPictures(data, inside, this.#context, this.#pictures);
      // Not wrapped: a broken path cannot be copied.
      return [...drawn, ...printableLines(shown.text).map(canvas.theme.muted)];
    }
    return asTree(shown, inside) ?? asMarkdown(shown, inside) ?? asColoured(data, shown, inside);
  }

  traceback(text: string, name: "stdout" | "stderr" = "stderr"): readonly string[] {
    return renderTracebackLines(text, canvasOf(this.#context, name).theme);
  }

  /** The latest status events, a row each. */
  events(events: readonly StatusEvent[]): readonly string[] {
    return renderStatusEvents(events, this.#options);
  }

  /** The lines after a cell: its status events, and where a long output is. */
  cellEnd({ displays, truncation }: Pick<Captured, "displays" | "truncation">): readonly string[] {
    const parts = displays.flatMap((display) => display.parts);
    const events = parts.flatMap((part) => (part.type === "status" ? [part.event] : []));
    return [...this.events(events), ...keptOutputLines(truncation, this.#options)];
  }

  get #options(): ViewOptions {
    const { columns, theme } = canvasOf(this.#context);
    return { width: Math.max(20, columns), expanded: false, theme };
  }
}

/** Only for JSON without a text of its own: such a text is meant to be read instead. */
function asTree({ text, begins, parts }: DisplayToPaint, { columns, theme }: Canvas): readonly string[] | null {
  const value = parts.find((part) => part.type === "json");
  if (begins?.as !== "tree" || value === undefined) return null;
  // Expanded, because the output cannot be expanded later.
  return [...renderTree(value.value, { width: columns, expanded: true, theme }), ...linesAfter(text, begins)];
}

function asMarkdown({ text, begins }: DisplayToPaint, { columns, theme }: Canvas): readonly string[] | null {
  if (begins?.as !== "markdown") return null;
  const markdown = renderMarkdown(text.slice(0, begins.length), { width: columns, theme });
  return [...markdown, ...linesAfter(text, begins)];
}

/** As rich prints. */
function asColoured(data: MimeBundle, { text }: DisplayToPaint, { theme }: Canvas): readonly string[] | null {
  const plain = data["text/plain"];
  const hasColours = theme.error("x") !== "x";
  if (!hasColours || typeof plain !== "string" || data["text/markdown"] !== undefined) return null;
  const lines = colouredLines(plain);
  const beginning = stripVTControlCharacters(plain).trimEnd();
  return lines !== null && text.startsWith(beginning) ? [...lines, ...linesAfter(text, beginning)] : null;
}

function linesAfter(text: string, { length }: { readonly length: number }): readonly string[] {
  return length >= text.length ? [] : printableLines(text.slice(length).replace(/^\n/, ""));
}
