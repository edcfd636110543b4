import type { ToolCall, ToolUpdate } from "./tool.ts";

/** A model's host shows it to a person, and nobody reads faster. */
const everyMs = 250;

/** Tells whoever watches a call how it stands: at once, and then again when something has changed, not too often. */
export class Updates<Details extends object> implements Disposable {
  readonly #onUpdate: ToolCall<Details>["onUpdate"];
  readonly #look: () => ToolUpdate<Details>;
  #pause: NodeJS.Timeout | undefined;
  #hasChanged = false;
  #isOver = false;

  /** @param look is called only when there is somebody to tell */
  constructor({ onUpdate }: ToolCall<Details>, look: () => ToolUpdate<Details>) {
    this.#onUpdate = onUpdate;
    this.#look = look;
  }

  /** Whether anybody watches. */
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
      // What goes wrong with whoever watches is no reason to stop the work.
    }
  }
}
