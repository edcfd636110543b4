import type { StreamName } from "../kernel/events.ts";

/** What happens while a cell runs, for those who watch. */
export type LiveEvent =
  /** Plain text: tabs and line ends are the only control characters in it. */
  | { readonly type: "text"; readonly name: StreamName; readonly text: string }
  /**
   * What a terminal has to do before the next text, as progress bars want it: `\r`, `\b`, a movement of the cursor within this
   * output, erasing; colours, where those are wanted.
   */
  | { readonly type: "move"; readonly name: StreamName; readonly sequence: string }
  /** Text on lines of its own, such as a display's. */
  | { readonly type: "block"; readonly text: string; readonly slot: string | null }
  | { readonly type: "update"; readonly text: string; readonly slot: string }
  | { readonly type: "clear" }
  /** Always first for those who come late: what could be seen so far. A `move` to where the cursor was may follow. */
  | { readonly type: "so-far"; readonly text: string };

export type LiveListener = (event: LiveEvent) => void;

/** Runs `task` a little later, and returns how to call that off. */
export type Later = (task: () => void) => () => void;

// A flood is handed on before it takes up memory.
const mostText = 256 * 1024;
/** What an event takes up besides its text, about. */
const eventLength = 64;

type OpenEvent =
  | { readonly type: "text"; readonly name: StreamName; text: string }
  | { readonly type: "move"; readonly name: StreamName; sequence: string };

/** Hands events to any number of listeners, those of some milliseconds together, in their order. */
export class LiveFeed {
  readonly #later: Later;
  readonly #listeners = new Set<LiveListener>();
  #events: LiveEvent[] = [];
  /** The last event, while more of the same kind and stream may still be put to it. */
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
   * @param toCursor from the end of what there is so far to where the cursor is
   * @returns how to stop listening
   */
  listen(listener: LiveListener, soFar: string, toCursor: string): () => void {
    this.flush(); // is in `soFar` already
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

/** What a listener throws is its own affair: Python's output goes on. */
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
