import type { KernelEvent, LargeContent, MimeBundle } from "../../kernel/events.ts";
import { artifactAddress } from "../artifacts/artifact-id.ts";
import type { CaptureOptions, ShownPart, TextLook } from "../capture.ts";
import { onlyColours } from "../only-colours.ts";
import type { ShownDisplay } from "../output-part.ts";
import { sanitizeInTurns } from "../text/sanitize.ts";
import type { ReportedException } from "../traceback/traceback.ts";
import { type DisplayPart, displayText, type KeptPart, type RenderedDisplay } from "./display-part.ts";
import { renderDisplay } from "./render-display.ts";

/** More than these are kept as artifacts instead of attached to the result. */
const mostPictures = 20;

export type RaisedEvent = Extract<KernelEvent, { type: "error" }>;
export type ShownEvent = Extract<KernelEvent, { type: "display" | "result" }>;

/** Makes text, pictures and values of the displays, results and errors of one execution; keeps large content as artifacts. */
export class EventRenderer {
  readonly #artifacts: CaptureOptions["artifacts"];
  readonly #placePictures: NonNullable<CaptureOptions["placePictures"]>;
  readonly #terminal: CaptureOptions["terminal"];
  readonly #told = new Set<string>();

  constructor({ artifacts, placePictures = async () => null, terminal }: CaptureOptions) {
    this.#artifacts = artifacts;
    this.#placePictures = placePictures;
    this.#terminal = terminal;
  }

  /** @param pictures how many the execution has shown so far */
  async display(event: ShownEvent, displayId: string | null, pictures: number): Promise<ShownDisplay> {
    const { metadata, large } = event;
    const data = this.#terminal === undefined ? forModels(event) : event.data;
    const placed = await this.#placePictures(data);
    const rendered =
      placed === null
        ? withFewPictures(await renderDisplay(data, metadata, { large, told: this.#told }), pictures)
        : pictureText(placed);
    const addresses = await this.#keep(rendered);
    const text = displayText(rendered, (part) => addresses.get(part) ?? null);
    const parts = rendered.parts.map((part) => shownPart(part, addresses));
    const look = this.#terminal && textLook(event, text, this.#terminal);
    // Apart, so that nothing in the one can reach into the other.
    const length = rendered.begins?.length ?? 0;
    const beginning = await sanitizeInTurns(text.slice(0, length));
    const display = {
      displayId,
      text: beginning + (await sanitizeInTurns(text.slice(length))),
      parts,
      ...(look && { look }),
    };
    return { display, begins: rendered.begins && { ...rendered.begins, length: beginning.length } };
  }

  async error({ traceback, large: whole }: RaisedEvent): Promise<RenderedError> {
    const { renderTraceback } = await import("../traceback/render-traceback.ts");
    const { text, exceptions } = renderTraceback(traceback);
    const shown = await sanitizeInTurns(text);
    return { text: whole === undefined ? shown : await this.#withWhole(shown, whole), exceptions };
  }

  async #withWhole(shown: string, whole: LargeContent): Promise<string> {
    const { keptLarge } = await import("./kept-content.ts");
    const rendered = { text: shown, parts: [keptLarge("text/plain", "traceback", whole, "shown in part")] };
    const addresses = await this.#keep(rendered);
    return displayText(rendered, (part) => addresses.get(part) ?? null);
  }

  /** Stores what the text does not hold. */
  async #keep({ parts }: RenderedDisplay): Promise<ReadonlyMap<KeptPart, string>> {
    const addresses = new Map<KeptPart, string>();
    const kept = parts.filter((part) => part.type === "kept");
    if (kept.length === 0 || this.#artifacts === undefined) return addresses;
    const [{ endingFor }, { saveContent }] = await Promise.all([
      import("../artifacts/artifact-kinds.ts"),
      import("./save-content.ts"),
    ]);
    for (const part of kept) {
      const end = await saveContent(this.#artifacts, part, endingFor(part.mimeType));
      if (end.kept) addresses.set(part, artifactAddress(end.id));
    }
    return addresses;
  }
}

interface RenderedError {
  readonly text: string;
  readonly exceptions: readonly ReportedException[];
}

function withFewPictures(rendered: RenderedDisplay, pictures: number): RenderedDisplay {
  if (pictures < mostPictures) return rendered;
  const parts = rendered.parts.map((part): DisplayPart => {
    if (part.type !== "image") return part;
    const content = Buffer.from(part.base64, "base64");
    const label = `${part.mimeType} ${part.width}x${part.height}, not attached: there are ${mostPictures} already`;
    return { type: "kept", mimeType: part.mimeType, content, bytes: content.length, label };
  });
  return { ...rendered, parts };
}

function forModels({ data, line }: ShownEvent): MimeBundle {
  return line === undefined ? data : { ...data, "text/plain": line };
}

function textLook(event: ShownEvent, text: string, { colors }: { readonly colors: number }): TextLook {
  const isPage = event.type === "display" && event.page === true;
  const isValue = event.data["text/plain"] !== undefined && event.data["text/markdown"] === undefined;
  const coloured = colors > 0 && text.includes("\x1b[") ? onlyColours(text) : null;
  return { kind: isPage ? "page" : isValue ? "value" : "text", coloured };
}

/** The text beside a picture is only a placeholder such as `<Figure size 640x480>`. */
function pictureText(text: string): RenderedDisplay {
  return { text, parts: [] };
}

function shownPart(part: DisplayPart, addresses: ReadonlyMap<KeptPart, string>): ShownPart {
  if (part.type !== "kept") return part;
  const { content: _, ...described } = part;
  return { ...described, address: addresses.get(part) ?? null };
}
