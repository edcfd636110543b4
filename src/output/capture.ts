import type { KernelEvent, LargeContent, MimeBundle } from "../kernel/events.ts";
import type { ArtifactWriter, OpenArtifact } from "./artifact.ts";
import { artifactAddress } from "./artifacts/artifact-id.ts";
import type { ArtifactStore } from "./artifacts/artifact-store.ts";
import type { SinkDump } from "./captured-text.ts";
import { type DisplayPart, displayText, type KeptPart, type RenderedDisplay } from "./display/display-part.ts";
import { renderDisplay } from "./display/render-display.ts";
import type { LiveEvent } from "./live-feed.ts";
import { onlyColours } from "./only-colours.ts";
import { displaysIn, type OutputPart, type ShownDisplay } from "./output-part.ts";
import { ErrorMark, outputParts, ShownDisplays } from "./shown-displays.ts";
import { Sink } from "./sink.ts";
import type { OutputBudget } from "./text/head-tail-buffer.ts";
import { sanitizeInTurns } from "./text/sanitize.ts";
import type { Truncation } from "./text/truncation.ts";
import type { ReportedException } from "./traceback/traceback.ts";

/** The captured output of an execution. */
export interface Captured {
  /** Printed text, displays and exceptions, in order; with updates applied, and cleared output removed. */
  readonly parts: readonly OutputPart[];
  /** The text of all parts, within the budget. */
  readonly output: string;
  /** The parts that are pictures, values and status events. */
  readonly displays: readonly CapturedDisplay[];
  /** The exceptions, frame by frame, in the order they were raised; includes frames that the text folds. */
  readonly exceptions: readonly ReportedException[];
  /** Size of the whole text, also of the part that `output` leaves out. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** Null when all of the text is in `output`. */
  readonly truncation: OutputTruncation | null;
}

export interface CapturedDisplay {
  readonly displayId: string | null;
  readonly text: string;
  readonly parts: readonly ShownPart[];
  /** @internal How to show the text on a terminal; only in a capture for one. */
  readonly look?: TextLook;
}

export interface TextLook {
  /** `value`: as Python writes it. `page`: to be read from its beginning, as the answer to `obj?` is. `error`: a traceback. */
  readonly kind: "value" | "page" | "text" | "error";
  /** The text with the colours that it came in, if it came in any. */
  readonly coloured: string | null;
}

/** Kept content has an address; null when it could not be kept. */
export type ShownPart =
  | Exclude<DisplayPart, KeptPart>
  | (Omit<KeptPart, "content"> & { readonly address: string | null });

export interface OutputTruncation extends Truncation {
  /** The artifact of the whole output: `artifact://<id>`; null when it could not be kept. */
  readonly artifact: string | null;
  /** Why it could not be kept, or not to its end. */
  readonly problem: string | null;
}

/** The events for a listener. */
export type Live =
  | LiveEvent
  | { readonly type: "display"; readonly display: CapturedDisplay; readonly update: boolean };

export interface CaptureOptions {
  readonly budget?: Partial<OutputBudget> | undefined;
  /** Whether long runs of printed lines that differ only in their numbers become one line; for models. */
  readonly foldsLines?: boolean | undefined;
  /** Without it, text beyond the budget is lost. */
  readonly artifacts?: Pick<ArtifactStore, "open" | "save"> | undefined;
  /** Whether text beyond the budget is kept as an artifact; true by default. */
  readonly keepsText?: boolean | undefined;
  /** For hosts that cannot attach pictures: saves those of a bundle, and returns a text that says where; null without pictures. */
  readonly placePictures?: ((data: MimeBundle) => Promise<string | null>) | undefined;
  /** The screen of a human reader. Without one, the text is for a model: containers on one line, and no colours. */
  readonly terminal?: { readonly colors: number } | undefined;
}

/** The rendering of an event, for the result and for live output. */
export interface Rendered {
  /** On lines of its own, without the end of the last. */
  readonly text: string;
  /** Null for an error. */
  readonly shown: ShownDisplay | null;
}

/** Takes the events of one execution and makes text, pictures and values of them. */
export interface Capture {
  /** A promise asks the caller to wait before the next event. It has the rendering of a display or an error. */
  take(event: KernelEvent): Promise<Rendered | undefined> | undefined;
  /** Puts a sentence of Granary on a line of its own. */
  note(sentence: string): void | Promise<void>;
  listen(listener: (event: Live) => void): () => void;
  /** Delivers pending output to the listeners now. */
  tellNow(): void;
  /** The artifact of the whole text, from the moment that some of it is left out. */
  readonly artifact: string | null;
  /** The last of the text so far, for a glance at work in progress. */
  tail(bytes: number): string;
  /** The output so far, as the result would have it. */
  readonly parts: readonly OutputPart[];
  readonly hasDisplays: boolean;
  finish(): Promise<Captured>;
}

export const nothingCaptured: Captured = {
  parts: [],
  output: "",
  displays: [],
  exceptions: [],
  totalLines: 0,
  totalBytes: 0,
  truncation: null,
};

/** Keeps nothing: for callers that use the events alone. */
export const noCapture: Capture = {
  take: () => undefined,
  note: () => {},
  listen: () => () => {},
  tellNow: () => {},
  artifact: null,
  tail: () => "",
  parts: [],
  hasDisplays: false,
  finish: async () => nothingCaptured,
};

/** More than these are kept as artifacts instead of attached to the result. */
const mostPictures = 20;
/** Listeners get the output of this time in one call. */
const liveDelayMs = 50;

export class ExecutionCapture implements Capture {
  readonly #artifacts: CaptureOptions["artifacts"];
  readonly #placePictures: NonNullable<CaptureOptions["placePictures"]>;
  readonly #terminal: CaptureOptions["terminal"];
  readonly #sink: Sink;
  readonly #listeners = new Set<(event: Live) => void>();
  readonly #displays = new ShownDisplays();
  readonly #told = new Set<string>();
  #exceptions: readonly ReportedException[] = [];
  #clearsBeforeNext = false;
  #artifact: string | null = null;
  #tellListeners: (() => void) | null = null;

  constructor(options: CaptureOptions = {}) {
    const { budget = {}, foldsLines, artifacts, keepsText = true, placePictures = async () => null } = options;
    this.#terminal = options.terminal;
    this.#artifacts = artifacts;
    this.#placePictures = placePictures;
    const openArtifact: OpenArtifact | undefined =
      artifacts && keepsText ? () => this.#openArtifact(artifacts) : undefined;
    const later = (task: () => void): (() => void) => this.#tellLater(task);
    this.#sink = new Sink({ budget, foldsLines, later, ...(openArtifact && { openArtifact }) });
  }

  take(event: KernelEvent): Promise<Rendered | undefined> | undefined {
    switch (event.type) {
      case "stream":
        this.#clearIfWaiting();
        return this.#sink.write(event.text, event.name) as Promise<undefined> | undefined;
      case "display":
        return this.#show(event, event.displayId ?? null, event.update);
      case "result":
        return this.#show(event, null, false);
      case "clear":
        this.#clear(event.wait);
        return undefined;
      case "error":
        return this.#showError(event);
      default:
        return undefined;
    }
  }

  note(sentence: string): void | Promise<void> {
    return this.#sink.writeBlock(sentence);
  }

  listen(listener: (event: Live) => void): () => void {
    const stop = this.#sink.listen(listener);
    this.#listeners.add(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  }

  tellNow(): void {
    this.#tellListeners?.();
  }

  get artifact(): string | null {
    return this.#artifact;
  }

  tail(bytes: number): string {
    return this.#sink.tail(bytes);
  }

  get parts(): readonly OutputPart[] {
    return outputParts(this.#sink.pieces);
  }

  get hasDisplays(): boolean {
    return !this.#displays.isEmpty;
  }

  async finish(): Promise<Captured> {
    const dump = await this.#sink.dump();
    const { parts } = this;
    return {
      parts,
      output: dump.text,
      displays: displaysIn(parts),
      exceptions: this.#exceptions,
      totalLines: dump.totalLines,
      totalBytes: dump.totalBytes,
      truncation: truncationOf(dump),
    };
  }

  #openArtifact(artifacts: Pick<ArtifactStore, "open">): ArtifactWriter {
    const writer = artifacts.open("txt");
    this.#artifact = artifactAddress(writer.id);
    return writer;
  }

  async #show(event: ShowEvent, displayId: string | null, update: boolean): Promise<Rendered> {
    const shown = await this.#render(event, displayId);
    const { text, parts } = shown.display;
    this.#clearIfWaiting();
    if (update && displayId !== null) {
      this.#displays.update(shown);
      this.#sink.update(displayId, text, () => this.#displays.move(displayId));
    } else {
      // Status events have no lines of their own, and must not interrupt a progress bar.
      const endsLine = parts.some(({ type }) => type === "image" || type === "json");
      await this.#sink.writeBlock(text, { slot: displayId, mark: this.#displays.add(shown), endsLine });
    }
    if (parts.length > 0 || shown.display.look !== undefined) this.#tellOf(shown.display, update);
    return { text, shown };
  }

  async #render(event: ShowEvent, displayId: string | null): Promise<ShownDisplay> {
    const { metadata, large } = event;
    const data = this.#terminal === undefined ? forModels(event) : event.data;
    const placed = await this.#placePictures(data);
    const rendered =
      placed === null
        ? this.#withFewPictures(await renderDisplay(data, metadata, { large, told: this.#told }))
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

  /** Text that was printed before it comes before it. */
  #tellOf(display: CapturedDisplay, update: boolean): void {
    this.tellNow();
    for (const listener of this.#listeners) listener({ type: "display", display, update });
  }

  #tellLater(task: () => void): () => void {
    this.#tellListeners = task;
    const timer = setTimeout(task, liveDelayMs).unref();
    return () => {
      this.#tellListeners = null;
      clearTimeout(timer);
    };
  }

  async #showError({ name, traceback, large: whole }: ErrorEvent): Promise<Rendered> {
    const { renderTraceback } = await import("./traceback/render-traceback.ts");
    const rendered = renderTraceback(traceback);
    const { exceptions } = rendered;
    const shown = await sanitizeInTurns(rendered.text);
    const text = whole === undefined ? shown : await this.#withWhole(shown, whole);
    this.#clearIfWaiting();
    this.#exceptions = exceptions;
    await this.#sink.writeBlock(text, { mark: new ErrorMark(name) });
    return { text, shown: null };
  }

  async #withWhole(shown: string, whole: LargeContent): Promise<string> {
    const { keptLarge } = await import("./display/kept-content.ts");
    const rendered = { text: shown, parts: [keptLarge("text/plain", "traceback", whole, "shown in part")] };
    const addresses = await this.#keep(rendered);
    return displayText(rendered, (part) => addresses.get(part) ?? null);
  }

  #clear(wait: boolean): void {
    this.#sink.clear({ wait });
    this.#clearsBeforeNext = wait;
    if (!wait) this.#displays.clear();
  }

  #clearIfWaiting(): void {
    if (!this.#clearsBeforeNext) return;
    this.#clearsBeforeNext = false;
    this.#displays.clear();
  }

  /** Stores what the text does not hold. */
  async #keep({ parts }: RenderedDisplay): Promise<ReadonlyMap<KeptPart, string>> {
    const addresses = new Map<KeptPart, string>();
    const kept = parts.filter((part) => part.type === "kept");
    if (kept.length === 0 || this.#artifacts === undefined) return addresses;
    const [{ endingFor }, { saveContent }] = await Promise.all([
      import("./artifacts/artifact-kinds.ts"),
      import("./display/save-content.ts"),
    ]);
    for (const part of kept) {
      const end = await saveContent(this.#artifacts, part, endingFor(part.mimeType));
      if (end.kept) addresses.set(part, artifactAddress(end.id));
    }
    return addresses;
  }

  #withFewPictures(rendered: RenderedDisplay): RenderedDisplay {
    if (this.#displays.pictures < mostPictures) return rendered;
    const parts = rendered.parts.map((part): DisplayPart => {
      if (part.type !== "image") return part;
      const content = Buffer.from(part.base64, "base64");
      const label = `${part.mimeType} ${part.width}x${part.height}, not attached: there are ${mostPictures} already`;
      return { type: "kept", mimeType: part.mimeType, content, bytes: content.length, label };
    });
    return { ...rendered, parts };
  }
}

type ErrorEvent = Extract<KernelEvent, { type: "error" }>;
type ShowEvent = Extract<KernelEvent, { type: "display" | "result" }>;

function forModels({ data, line }: ShowEvent): MimeBundle {
  return line === undefined ? data : { ...data, "text/plain": line };
}

function textLook(event: ShowEvent, text: string, { colors }: { readonly colors: number }): TextLook {
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

function truncationOf(dump: SinkDump): OutputTruncation | null {
  const { text: _, truncated, artifact, artifactProblem, ...counts } = dump;
  if (!truncated) return null;
  return { ...counts, artifact: artifact && artifactAddress(artifact.id), problem: artifactProblem };
}
