import type { ToolCall, ToolUpdate } from "./tool.ts";

/** A host shows updates to a person, who cannot read faster. */
const everyMs = 250;

/** Reports the state of a call: at once, and again after changes, at a limited rate. */
export class Updates<Details extends object> implements Disposable {
  readonly #onUpdate: ToolCall<Details>["onUpdate"];
  readonly #look: () => ToolUpdate<Details>;
  #pause: NodeJS.Timeout | undefined;
  #hasChanged = false;
  #isOver = false;

  /** @param look is called only when there is a listener */
  constructor({ onUpdate }: ToolCall<Details>, look: () => ToolUpdate<Details>) {
    this.#onUpdate = onUpdate;
    this.#look = look;
  }

  /** Whether there is a listener. */
  get areWanted(): boolean {
    return this.#onUpdate !== undefined;
  }

  changed(): void {
    this.#hasChanged = true;
    if (this.#pause === undefined && this.areWanted && !this.#isOver) this.#tell();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#pause);
  }

  #tell(): void {
    this.#hasChanged = false;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#hasChanged) this.#tell();
    }, everyMs).unref();
    try {
      this.#onUpdate?.(this.#look());
    } catch {
      // An error of the listener must not stop the work.
    }
  }
}
