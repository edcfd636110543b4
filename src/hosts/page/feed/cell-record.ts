import type { KernelEvent } from "../../../kernel/events.ts";
import { jsonLength } from "../../../support/json/deep-json.ts";
import type { BundleOutput, CellHead, Json, PageCell, PageOutput } from "../api/cells.ts";
import type { SessionEvent } from "../api/events.ts";
import { appendText, keptCharacters, noText } from "../api/long-text.ts";
import { weightOf } from "./cell-weight.ts";
import { tracebackParts } from "./traceback-parts.ts";

type ShowEvent = Extract<KernelEvent, { type: "display" | "result" }>;
type StreamEvent = Extract<KernelEvent, { type: "stream" }>;

/** Displays of one cell beyond these are counted. */
const mostOutputs = 1000;
/** Forms of one cell's displays beyond these stay out of the page, in characters. */
const mostCharacters = 6_000_000;
const shortForm = 2000;

/** A cell with its outputs so far. Every change returns the events that tell the browsers. */
export class CellRecord {
  #head: CellHead;
  #outputs: PageOutput[];
  /** Printed, and not sent yet: one event for many small writes. */
  #unsent: { readonly stream: StreamEvent["name"]; text: string; skipped: number } | null = null;
  #clearsBeforeNext = false;
  /** Of the displays, in characters. */
  #shown = 0;
  #counted = { at: -1, displays: 0, isSent: true };

  constructor(head: CellHead, outputs: readonly PageOutput[] = []) {
    this.#head = head;
    this.#outputs = [...outputs];
  }

  get head(): CellHead {
    return this.#head;
  }

  /** With everything that was sent. */
  get cell(): PageCell {
    return { ...this.#head, outputs: this.#outputs };
  }

  get hasUnsent(): boolean {
    return this.#unsent !== null || !this.#counted.isSent;
  }

  /** About the memory that it takes, in characters. */
  get weight(): number {
    return this.#outputs.reduce((sum, output) => sum + weightOf(output), this.#head.code.length + 500);
  }

  change(changes: Partial<CellHead>): readonly SessionEvent[] {
    this.#head = { ...this.#head, ...changes };
    return [{ type: "cell", cell: this.#head }];
  }

  print(name: StreamEvent["name"], text: string): readonly SessionEvent[] {
    const events = this.#clearIfWaiting();
    const sent = this.#unsent !== null && this.#unsent.stream !== name ? this.flush() : [];
    const unsent = this.#unsent ?? { stream: name, text: "", skipped: 0 };
    unsent.text += text;
    if (unsent.text.length > 2 * keptCharacters) {
      const excess = unsent.text.length - keptCharacters;
      // The beginning of a long output is kept, so only text after that is skipped.
      if (this.#hasBeginning(name)) {
        unsent.text = unsent.text.slice(excess);
        unsent.skipped += excess;
      } else {
        this.#unsent = unsent;
        return [...events, ...sent, ...this.flush()];
      }
    }
    this.#unsent = unsent;
    return [...events, ...sent];
  }

  /** Takes what was printed since the last time into the outputs. */
  flush(): readonly SessionEvent[] {
    const unsent = this.#unsent;
    const counted = this.#sayCounted();
    if (unsent === null) return counted;
    this.#unsent = null;
    const { stream, text, skipped } = unsent;
    const last = this.#outputs.at(-1);
    const isFull = this.#outputs.length > mostOutputs;
    const continues =
      last?.kind === "text" && this.#counted.at !== this.#outputs.length - 1 && (isFull || last.stream === stream);
    const at = this.#outputs.length - (continues ? 1 : 0);
    this.#outputs[at] = appendText(continues ? last : noText(stream), text, skipped);
    return [...counted, { type: "text", cell: this.#head.id, at, stream, text, skipped }];
  }

  show(event: ShowEvent): readonly SessionEvent[] {
    const { data, metadata, large = {} } = event;
    const tooLarge = Object.fromEntries(Object.entries(large).map(([type, { bytes }]) => [type, bytes]));
    const displayId = event.type === "display" ? (event.displayId ?? null) : null;
    const bundle = { data: data as Record<string, Json>, metadata: metadata as Record<string, Json> };
    const output: BundleOutput = { kind: "display", displayId, ...bundle, tooLarge };
    if (event.type === "display" && event.update) return this.#update(output, displayId);
    const cleared = this.#clearIfWaiting();
    if (this.#outputs.length < mostOutputs) return [...cleared, ...this.#add(this.#withinBudget(output))];
    this.#counted = { ...this.#counted, displays: this.#counted.displays + 1, isSent: false };
    return [...cleared, ...(this.#counted.at === -1 ? this.flush() : [])];
  }

  fail(error: {
    readonly name: string;
    readonly message: string;
    readonly traceback: readonly string[];
  }): readonly SessionEvent[] {
    const { name, message } = error;
    const traceback = tracebackParts(error.traceback);
    return [...this.#clearIfWaiting(), ...this.#add({ kind: "error", name, message, traceback })];
  }

  clear(wait: boolean): readonly SessionEvent[] {
    this.#clearsBeforeNext = wait;
    if (wait) return [];
    this.#unsent = null;
    this.#outputs = [];
    this.#shown = 0;
    this.#counted = { at: -1, displays: 0, isSent: true };
    return [{ type: "clear", cell: this.#head.id }];
  }

  shows(displayId: string): boolean {
    return this.#outputs.some((output) => output.kind === "display" && output.displayId === displayId);
  }

  #hasBeginning(stream: StreamEvent["name"]): boolean {
    const last = this.#outputs.at(-1);
    return last?.kind === "text" && last.stream === stream && last.text.length >= keptCharacters;
  }

  #add(output: PageOutput): readonly SessionEvent[] {
    const printed = this.flush();
    const at = this.#outputs.push(output) - 1;
    return [...printed, { type: "output", cell: this.#head.id, at, output }];
  }

  #update(output: BundleOutput, displayId: string | null): readonly SessionEvent[] {
    return this.#outputs.flatMap((old, at): readonly SessionEvent[] => {
      if (old.kind !== "display" || old.displayId !== displayId || displayId === null) return [];
      this.#shown -= weightOf(old);
      const fitting = this.#withinBudget(output);
      this.#outputs[at] = fitting;
      return [{ type: "output", cell: this.#head.id, at, output: fitting }];
    });
  }

  /** Without the forms that are too many. Short ones, such as text in the place of a picture, always fit. */
  #withinBudget(output: BundleOutput): BundleOutput {
    const weight = weightOf(output);
    if (this.#shown + weight <= mostCharacters) {
      this.#shown += weight;
      return output;
    }
    const forms = Object.entries(output.data).map(([type, form]) => [type, form, jsonLength(form)] as const);
    const small = forms.filter(([, , length]) => length <= shortForm);
    const large = forms.filter(([, , length]) => length > shortForm);
    return {
      ...output,
      data: Object.fromEntries(small),
      tooLarge: { ...output.tooLarge, ...Object.fromEntries(large.map(([type, , length]) => [type, length])) },
    };
  }

  /** How many displays are left out, at the place of the first of them. */
  #sayCounted(): readonly SessionEvent[] {
    if (this.#counted.isSent) return [];
    const { displays } = this.#counted;
    const at = this.#counted.at === -1 ? this.#outputs.length : this.#counted.at;
    this.#counted = { at, displays, isSent: true };
    const text = `${displays.toLocaleString("en")} more displays are left out.\n`;
    const output: PageOutput = { kind: "text", stream: "stderr", text, omitted: null };
    this.#outputs[at] = output;
    return [{ type: "output", cell: this.#head.id, at, output }];
  }

  #clearIfWaiting(): readonly SessionEvent[] {
    return this.#clearsBeforeNext ? this.clear(false) : [];
  }
}
