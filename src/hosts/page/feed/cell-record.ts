import type { KernelEvent } from "../../../kernel/events.ts";
import type { CellHead, Json, PageCell, PageOutput } from "../api/cells.ts";
import type { SessionEvent } from "../api/events.ts";
import { appendText, keptCharacters, noText } from "../api/long-text.ts";
import { tracebackParts } from "./traceback-parts.ts";

type ShowEvent = Extract<KernelEvent, { type: "display" | "result" }>;
type StreamEvent = Extract<KernelEvent, { type: "stream" }>;

/** A cell with its outputs so far. Every change returns the events that tell the browsers. */
export class CellRecord {
  #head: CellHead;
  #outputs: PageOutput[];
  /** Printed, and not sent yet: one event for many small writes. */
  #unsent: { readonly stream: StreamEvent["name"]; text: string; skipped: number } | null = null;
  #clearsBeforeNext = false;

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
    return this.#unsent !== null;
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
    if (unsent === null) return [];
    this.#unsent = null;
    const { stream, text, skipped } = unsent;
    const last = this.#outputs.at(-1);
    const continues = last?.kind === "text" && last.stream === stream;
    const at = this.#outputs.length - (continues ? 1 : 0);
    this.#outputs[at] = appendText(continues ? last : noText(stream), text, skipped);
    return [{ type: "text", cell: this.#head.id, at, stream, text, skipped }];
  }

  show(event: ShowEvent): readonly SessionEvent[] {
    const { data, metadata, large = {} } = event;
    const tooLarge = Object.fromEntries(Object.entries(large).map(([type, { bytes }]) => [type, bytes]));
    const displayId = event.type === "display" ? (event.displayId ?? null) : null;
    const bundle = { data: data as Record<string, Json>, metadata: metadata as Record<string, Json> };
    const output: PageOutput = { kind: "display", displayId, ...bundle, tooLarge };
    if (event.type === "display" && event.update) return this.#update(output, displayId);
    return [...this.#clearIfWaiting(), ...this.#add(output)];
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

  #update(output: PageOutput, displayId: string | null): readonly SessionEvent[] {
    return this.#outputs.flatMap((old, at): readonly SessionEvent[] => {
      if (old.kind !== "display" || old.displayId !== displayId || displayId === null) return [];
      this.#outputs[at] = output;
      return [{ type: "output", cell: this.#head.id, at, output }];
    });
  }

  #clearIfWaiting(): readonly SessionEvent[] {
    return this.#clearsBeforeNext ? this.clear(false) : [];
  }
}

function weightOf(output: PageOutput): number {
  if (output.kind === "text") return output.text.length;
  if (output.kind === "error") return output.traceback.reduce((sum, { lines }) => sum + lines.join("").length, 0);
  return Object.values(output.data).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : JSON.stringify(value).length),
    0,
  );
}
