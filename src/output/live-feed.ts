import type { StreamName } from "../kernel/events.ts";

/** Events while a cell runs, for live readers. */
export type LiveEvent =
  /** Plain text: its only control characters are tabs and line ends. */
  | { readonly type: "text"; readonly name: StreamName; readonly text: string }
  /**
   * Control codes for a terminal before the next text, as progress bars use them: `\r`, `\b`, a movement of the cursor within this
   * output, erasing; colours, if requested.
   */
  | { readonly type: "move"; readonly name: StreamName; readonly sequence: string }
  /** Text on its own lines, such as that of a display. */
  | {
      readonly type: "block";
      readonly text: string;
      readonly slot: string | null;
      /** @internal A sentence of Granary. */
      readonly isOwn?: true;
      /** @internal The traceback of an exception. */
      readonly isError?: true;
    }
  | { readonly type: "update"; readonly text: string; readonly slot: string }
  | { readonly type: "clear" }
  /** The first event of a late listener: the visible text so far. A `move` to the cursor's position may follow. */
  | { readonly type: "so-far"; readonly text: string };

export type LiveListener = (event: LiveEvent) => void;

/** Runs `task` a little later, and returns a function that cancels it. */
export type Later = (task: () => void) => () => void;

// Pass a flood on before it fills memory.
const mostText = 256 * 1024;
/** Approximate size of an event besides its text. */
const eventLength = 64;

type OpenEvent =
  | { readonly type: "text"; readonly name: StreamName; text: string }
  | { readonly type: "move"; readonly name: StreamName; sequence: string };

/** Passes events to any number of listeners in order, batched over some milliseconds. */
export class LiveFeed {
  readonly #later: Later;
  readonly #listeners = new Set<LiveListener>();
  #events: LiveEvent[] = [];
  /** The last event, while more text of its kind and stream can still be added. */
  #open: OpenEvent | undefined;
  #length = 0;
  #callOff: (() => void) | undefined;

  constructor(later: Later = inFiftyMilliseconds) {
    this.#later = later;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /**
   * @param toCursor the movement from the end of the text so far to the cursor
   * @returns a function that removes the listener
   */
  listen(listener: LiveListener, soFar: string, toCursor: string): () => void {
    this.flush(); // `soFar` has it already
    const own: LiveListener = (event) => listener(event); // the same function may listen twice
    this.#listeners.add(own);
    if (soFar !== "") tell(own, { type: "so-far", text: soFar });
    if (toCursor !== "") tell(own, { type: "move", name: "stdout", sequence: toCursor });
    return () => void this.#listeners.delete(own);
  }

  text(name: StreamName, text: string): void {
    if (!this.hasListeners) return;
    if (this.#open?.type === "text" && this.#open.name === name) this.#open.text += text;
    else this.#pushOpen({ type: "text", name, text });
    this.#grow(text.length);
  }

  move(name: StreamName, sequence: string): void {
    if (!this.hasListeners) return;
    if (this.#open?.type === "move" && this.#open.name === name) this.#open.sequence += sequence;
    else this.#pushOpen({ type: "move", name, sequence });
    this.#grow(sequence.length);
  }

  push(event: LiveEvent): void {
    if (!this.hasListeners) return;
    this.#open = undefined;
    this.#events.push(event);
    this.#callOff ??= this.#later(() => this.flush());
  }

  #pushOpen(event: OpenEvent): void {
    this.push(event);
    this.#open = event;
    this.#length += eventLength;
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > mostText) this.flush();
  }

  flush(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const events = this.#events;
    this.#events = [];
    this.#open = undefined;
    this.#length = 0;
    for (const event of events) for (const listener of [...this.#listeners]) tell(listener, event);
  }
}

/** An exception in a listener does not stop Python's output. */
function tell(listener: LiveListener, event: LiveEvent): void {
  try {
    listener(event);
  } catch {}
}

const inFiftyMilliseconds: Later = (task) => {
  const timer = setTimeout(task, 50);
  timer.unref();
  return () => clearTimeout(timer);
};
