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

/** What was made of a display for those who read only text, with a line for everything that was put into a file. */
interface DisplayToPaint extends Pick<RenderedDisplay, "text" | "begins"> {
  readonly parts: readonly (DisplayPart | ShownPart)[];
}

/** Shows people on a terminal what programs get as plain text. */
export class TerminalPainter {
  readonly #context: CommandContext;
  readonly #pictures: PictureChoice;

  constructor(context: CommandContext, pictures: PictureChoice) {
    this.#context = context;
    this.#pictures = pictures;
  }

  /**
   * A display: its picture, its value as a tree, its markdown. Null when the text says it best.
   * @param indent columns that are taken already
   */
  async display(data: MimeBundle, shown: DisplayToPaint, indent = 0): Promise<readonly string[] | null> {
    const canvas = canvasOf(this.#context);
    const inside = { ...canvas, columns: Math.max(20, canvas.columns - indent) };
    if (pictureTypes.some((type) => typeof data[type] === "string")) {
      const drawn = await drawPictures(data, inside, this.#context, this.#pictures);
      // Not folded: a path that is broken cannot be copied.
      return [...drawn, ...printableLines(shown.text).map(canvas.theme.muted)];
    }
    return asTree(shown, inside) ?? asMarkdown(shown, inside) ?? asColoured(data, shown, inside);
  }

  traceback(text: string, name: "stdout" | "stderr" = "stderr"): readonly string[] {
    return renderTracebackLines(text, canvasOf(this.#context, name).theme);
  }

  /** What helpers do: the last of it, a row each. */
  events(events: readonly StatusEvent[]): readonly string[] {
    return renderStatusEvents(events, this.#options);
  }

  /** What is left to tell when a cell has ended: what helpers did, and where a long output is. */
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

/** Only where the text is the value, too: whoever gives JSON a text of its own wants that to be read. */
function asTree({ text, begins, parts }: DisplayToPaint, { columns, theme }: Canvas): readonly string[] | null {
  const value = parts.find((part) => part.type === "json");
  if (begins?.as !== "tree" || value === undefined) return null;
  // Nobody can ask for more of it here.
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
