import { stripVTControlCharacters } from "node:util";
import type { MimeBundle } from "../../../kernel/events.ts";
import type { Captured } from "../../../output/capture.ts";
import { renderJson } from "../../../output/display/render-json.ts";
import type { StatusEvent } from "../../../output/display/status-event.ts";
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
   * @param text the same for those who read only text, with a line for everything that was put into a file
   * @param indent columns that are taken already
   */
  async display(data: MimeBundle, text: string, indent = 0): Promise<readonly string[] | null> {
    const canvas = canvasOf(this.#context);
    const inside = { ...canvas, columns: Math.max(20, canvas.columns - indent) };
    if (pictureTypes.some((type) => typeof data[type] === "string")) {
      const drawn = await drawPictures(data, inside, this.#context, this.#pictures);
      // Not folded: a path that is broken cannot be copied.
      return [...drawn, ...printableLines(text).map(canvas.theme.muted)];
    }
    return asTree(data, text, inside) ?? asMarkdown(data, text, inside) ?? asColoured(data, text, inside);
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
function asTree(data: MimeBundle, text: string, { columns, theme }: Canvas): readonly string[] | null {
  const { tree, beside } = renderJson(data["application/json"]);
  const value = beside.parts.find((part) => part.type === "json");
  const rest = value === undefined ? null : restAfter(tree, text);
  if (value === undefined || rest === null) return null;
  // Nobody can ask for more of it here.
  return [...renderTree(value.value, { width: columns, expanded: true, theme }), ...rest];
}

function asMarkdown(data: MimeBundle, text: string, { columns, theme }: Canvas): readonly string[] | null {
  const markdown = data["text/markdown"];
  const rest = typeof markdown === "string" ? restAfter(markdown.trimEnd(), text) : null;
  return rest === null ? null : [...renderMarkdown(markdown as string, { width: columns, theme }), ...rest];
}

/** As rich prints. */
function asColoured(data: MimeBundle, text: string, { theme }: Canvas): readonly string[] | null {
  const plain = data["text/plain"];
  const hasColours = theme.error("x") !== "x";
  if (!hasColours || typeof plain !== "string" || data["text/markdown"] !== undefined) return null;
  const lines = colouredLines(plain);
  const rest =
    lines === null ? null : restAfter(stripVTControlCharacters(plain).trimEnd(), stripVTControlCharacters(text));
  return lines === null || rest === null ? null : [...lines, ...rest];
}

/** The lines after a text that begins with these; null when it does not. */
function restAfter(beginning: string, text: string): readonly string[] | null {
  if (beginning === "" || !text.startsWith(beginning)) return null;
  const rest = text.slice(beginning.length);
  if (rest === "") return [];
  return rest.startsWith("\n") ? printableLines(rest.slice(1)) : null;
}
