import type { KernelEvent, LargeContents, MimeBundle, StreamName } from "../kernel/events.ts";
import { withLargeContents } from "../kernel/large-content.ts";
import { sayBytes } from "../output/text/say-size.ts";
import { jsonLength } from "../support/json/deep-json.ts";
import { sayCount } from "../support/say-count.ts";

/** What a cell put out, in order; the four kinds that a notebook knows too. */
export type CellOutput =
  | { readonly type: "stream"; readonly name: StreamName; readonly text: string }
  | ShownOutput
  | { readonly type: "error"; readonly name: string; readonly message: string; readonly traceback: readonly string[] };

/** Something shown on purpose: by `display()`, or as the value of the last expression. */
export interface ShownOutput {
  readonly type: "display" | "result";
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
  readonly displayId: string | null;
  /** The MIME types of which nothing is here, because their values are too large. */
  readonly leftOut?: readonly string[];
  /** The prompt number of a result. */
  readonly executionCount?: number;
}

export interface OutputLimit {
  /** Of text and of what is shown, together. What a cell raised is kept in any case. */
  readonly characters: number;
  /** What to tell whoever reads the rest. */
  sayLeftOut(characters: number): string;
}

// A string of JavaScript ends at half a gigabyte, and nobody reads a document that long.
const readable: OutputLimit = {
  characters: 64 * 1024 * 1024,
  sayLeftOut: (characters) => `${sayCount(characters, "more character")} left out here`,
};

/** Collects a cell's outputs as a notebook would hold them: cleared, updated in place, stream text joined. */
export class CellOutputs {
  readonly #limit: OutputLimit;
  #outputs: CellOutput[] = [];
  #size = 0;
  #leftOut = 0;
  #clearBeforeNext = false;

  constructor(limit: OutputLimit = readable) {
    this.#limit = limit;
  }

  get all(): readonly CellOutput[] {
    if (this.#leftOut === 0) return this.#outputs;
    const text = `\n[${this.#limit.sayLeftOut(this.#leftOut)}]\n`;
    return [...this.#outputs, { type: "stream", name: "stderr", text }];
  }

  /** Whether a later update could change something here. */
  get canBeUpdated(): boolean {
    return this.#outputs.some((output) => output.type === "display" && output.displayId !== null);
  }

  take(event: KernelEvent): void {
    switch (event.type) {
      case "stream":
      case "error":
        this.#add(event);
        break;
      case "display":
      case "result":
        this.#add(shownOutput(event));
        break;
      case "clear":
        if (event.wait) this.#clearBeforeNext = true;
        else this.#clear();
        break;
    }
  }

  /** Gives every display with the update's id its new content; false when there is none. */
  update(update: ShownOutput): boolean {
    const isMeant = (output: CellOutput) => output.type === "display" && output.displayId === update.displayId;
    if (update.displayId === null || !this.#outputs.some(isMeant)) return false;
    this.#outputs = this.#outputs.map((output) => (isMeant(output) ? update : output));
    return true;
  }

  #add(output: CellOutput): void {
    if (this.#clearBeforeNext) this.#clear();
    if (output.type === "stream") this.#addText(output.name, output.text);
    else if (output.type === "error" || this.#hasRoomFor(sizeOf(output.data))) this.#outputs.push(output);
  }

  #addText(name: StreamName, text: string): void {
    const kept = withoutHalfCharacter(text.slice(0, this.#limit.characters - this.#size));
    this.#size += kept.length;
    this.#leftOut += text.length - kept.length;
    if (kept === "") return;
    const last = this.#outputs.at(-1);
    if (last?.type === "stream" && last.name === name) {
      this.#outputs[this.#outputs.length - 1] = { ...last, text: last.text + kept };
    } else {
      this.#outputs.push({ type: "stream", name, text: kept });
    }
  }

  /** Half a picture is none: what does not fit is left out whole. */
  #hasRoomFor(size: number): boolean {
    const fits = this.#size + size <= this.#limit.characters;
    if (fits) this.#size += size;
    else this.#leftOut += size;
    return fits;
  }

  #clear(): void {
    this.#outputs = [];
    this.#size = 0;
    this.#leftOut = 0;
    this.#clearBeforeNext = false;
  }
}

export function shownOutput(event: Extract<KernelEvent, { type: "display" | "result" }>): ShownOutput {
  const { data, metadata, large } = event;
  const more = large && { leftOut: Object.keys(large) };
  if (event.type === "display") return { type: "display", data, metadata, displayId: event.displayId ?? null, ...more };
  return { type: "result", data, metadata, displayId: null, executionCount: event.executionCount, ...more };
}

/** The event with all that it shows, as a document stores it: up to a limit, which is said where it is passed. */
export function whole(event: KernelEvent, { characters }: OutputLimit): KernelEvent | Promise<KernelEvent> {
  if ((event.type !== "display" && event.type !== "result") || event.large === undefined) return event;
  return withLargeContents(event, () => characters).then((read) =>
    read.large === undefined ? read : { ...read, data: { ...read.data, ...saidInText(read.data, read.large) } },
  );
}

/** Of plain text there is an excerpt that says so itself. */
function saidInText(data: MimeBundle, large: LargeContents): MimeBundle {
  const others = Object.entries(large).filter(([mimeType]) => mimeType !== "text/plain");
  if (others.length === 0) return {};
  const notes = others.map(([mimeType, { bytes }]) => `[${mimeType}, ${sayBytes(bytes)}, is left out here]`);
  const text = data["text/plain"];
  return { "text/plain": [...(typeof text === "string" ? [text] : []), ...notes].join("\n") };
}

/** A cut may have gone through a character that takes two units. */
function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
}

function sizeOf(data: MimeBundle): number {
  const sizes = Object.values(data).map((value) => (typeof value === "string" ? value.length : jsonLength(value)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
