import type { KernelEvent, MimeBundle, StreamName } from "../kernel/events.ts";

/** What a cell put out, in order; the four kinds that a notebook knows too. */
export type CellOutput =
  | { readonly type: "stream"; readonly name: StreamName; readonly text: string }
  | Shown
  | { readonly type: "error"; readonly name: string; readonly message: string; readonly traceback: readonly string[] };

/** Something shown on purpose: by `display()`, or as the value of the last expression. */
export interface Shown {
  readonly type: "display" | "result";
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
  readonly displayId: string | null;
}

// A string of JavaScript ends at half a gigabyte, and nobody reads a document that long.
const longestText = 64 * 1024 * 1024;

/** Collects a cell's outputs as a notebook would hold them: cleared, updated in place, stream text joined. */
export class CellOutputs {
  #outputs: CellOutput[] = [];
  #textLength = 0;
  #leftOut = 0;
  #clearBeforeNext = false;

  get all(): readonly CellOutput[] {
    if (this.#leftOut === 0) return this.#outputs;
    const text = `\n[${this.#leftOut} more characters were printed and are left out here]\n`;
    return [...this.#outputs, { type: "stream", name: "stderr", text }];
  }

  take(event: KernelEvent): void {
    switch (event.type) {
      case "stream":
      case "error":
        this.#add(event);
        break;
      case "display":
      case "result":
        this.#add(shown(event));
        break;
      case "clear":
        if (event.wait) this.#clearBeforeNext = true;
        else this.#clear();
        break;
    }
  }

  /** Gives every display with the update's id its new content; false when there is none. */
  update(update: Shown): boolean {
    const isMeant = (output: CellOutput) => output.type === "display" && output.displayId === update.displayId;
    if (update.displayId === null || !this.#outputs.some(isMeant)) return false;
    this.#outputs = this.#outputs.map((output) => (isMeant(output) ? update : output));
    return true;
  }

  #add(output: CellOutput): void {
    if (this.#clearBeforeNext) this.#clear();
    if (output.type === "stream") this.#addText(output.name, output.text);
    else this.#outputs.push(output);
  }

  #addText(name: StreamName, text: string): void {
    const kept = text.slice(0, longestText - this.#textLength);
    this.#textLength += kept.length;
    this.#leftOut += text.length - kept.length;
    if (kept === "") return;
    const last = this.#outputs.at(-1);
    if (last?.type === "stream" && last.name === name) {
      this.#outputs[this.#outputs.length - 1] = { ...last, text: last.text + kept };
    } else {
      this.#outputs.push({ type: "stream", name, text: kept });
    }
  }

  #clear(): void {
    this.#outputs = [];
    this.#textLength = 0;
    this.#leftOut = 0;
    this.#clearBeforeNext = false;
  }
}

export function shown(event: Extract<KernelEvent, { type: "display" | "result" }>): Shown {
  const displayId = event.type === "display" ? (event.displayId ?? null) : null;
  return { type: event.type, data: event.data, metadata: event.metadata, displayId };
}
