import type { StreamName } from "../kernel/events.ts";

/** What happens while a cell runs, for those who watch. Stream text still moves: it has `\r`, `\b` and cursor movements. */
export type LiveEvent =
  | { readonly type: "text"; readonly name: StreamName; readonly text: string }
  /** Text on lines of its own, such as a display's. */
  | { readonly type: "block"; readonly text: string; readonly slot: string | null }
  | { readonly type: "update"; readonly text: string; readonly slot: string }
  | { readonly type: "clear" }
  /** Always first for those who come late: what could be seen so far, with the cursor where it was. */
  | { readonly type: "so-far"; readonly text: string };

export type LiveListener = (event: LiveEvent) => void;

/** Runs `task` a little later, and returns how to call that off. */
export type Later = (task: () => void) => () => void;

// A flood is handed on before it takes up memory.
const mostText = 256 * 1024;

/** Hands events to any number of listeners, those of some milliseconds together, in their order. */
export class LiveFeed {
  readonly #later: Later;
  readonly #listeners = new Set<LiveListener>();
  #events: LiveEvent[] = [];
  /** The last event, while more text of the same stream may still be put to it. */
  #open: { readonly name: StreamName; text: string } | undefined;
  #length = 0;
  #callOff: (() => void) | undefined;

  constructor(later: Later = inFiftyMilliseconds) {
    this.#later = later;
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** @returns how to stop listening */
  listen(listener: LiveListener, soFar: string): () => void {
    this.flush(); // is in `soFar` already
    const own: LiveListener = (event) => listener(event); // the same function may listen twice
    this.#listeners.add(own);
    if (soFar !== "") tell(own, { type: "so-far", text: soFar });
    return () => void this.#listeners.delete(own);
  }

  text(name: StreamName, text: string): void {
    if (!this.hasListeners) return;
    if (this.#open?.name === name) {
      this.#open.text += text;
    } else {
      const open = { type: "text" as const, name, text };
      this.push(open);
      this.#open = open;
    }
    this.#length += text.length;
    if (this.#length > mostText) this.flush();
  }

  push(event: LiveEvent): void {
    if (!this.hasListeners) return;
    this.#open = undefined;
    this.#events.push(event);
    this.#callOff ??= this.#later(() => this.flush());
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
