import type { StreamName } from "../../kernel/events.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { sanitize } from "../../output/text/sanitize.ts";
import { sayCount } from "../../support/say-count.ts";

type Listener = (text: string, name: StreamName) => void;

const keptCharacters = 16 * 1024;

/** Output between cells, kept for the next result; of long output, the end. */
export class BackgroundOutput {
  readonly #listeners = new Set<Listener>();
  #kept = "";
  #leftOut = 0;

  listenTo(kernel: Kernel): void {
    kernel.onBackground((text, name) => {
      for (const listener of [...this.#listeners]) tell(listener, text, name);
      if (this.#listeners.size === 0) this.#keep(text);
    });
  }

  /** From now on, output goes to the listener and is not kept. */
  listen(listener: Listener): () => void {
    const own: Listener = (text, name) => listener(text, name); // the same function may listen twice
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  take(): string {
    if (this.#kept === "") return "";
    const text = sanitize(this.#kept.slice(-keptCharacters));
    const leftOut = this.#leftOut + Math.max(0, this.#kept.length - keptCharacters);
    this.#kept = "";
    this.#leftOut = 0;
    return leftOut === 0 ? text : `[${sayCount(leftOut, "character")} left out]\n${text}`;
  }

  #keep(text: string): void {
    this.#kept += text;
    const tooMuch = this.#kept.length - keptCharacters;
    // Not with every few bytes, because that would take longer than reading them.
    if (tooMuch < keptCharacters) return;
    this.#kept = this.#kept.slice(tooMuch);
    this.#leftOut += tooMuch;
  }
}

/** An error of a listener does not stop Python. */
function tell(listener: Listener, text: string, name: StreamName): void {
  try {
    listener(text, name);
  } catch {}
}
