import type { KernelEvent, StreamName } from "../kernel/events.ts";
import type { Kernel, LateDisplay } from "../kernel/kernel.ts";
import type { Execution } from "./execution/execution.ts";

/** Sees everything that happens in a session, on whose behalf it may be, and takes nothing from others. */
export interface Witness {
  /** An event of a cell, with all forms of what is shown. A promise delays the next event. */
  onEvent(execution: Execution, event: KernelEvent): void | Promise<void>;
  /** Text and displays of threads and child processes between two cells. */
  onBackground(text: string, name: StreamName): void;
  onLateDisplay(event: LateDisplay): void;
}

/** The witnesses of a session. */
export class Witnesses {
  readonly #all = new Set<Witness>();

  /** @returns a function that removes the witness */
  add(witness: Witness): () => void {
    this.#all.add(witness);
    return () => void this.#all.delete(witness);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  listenTo(kernel: Kernel): void {
    kernel.onBackground((text, name) => {
      for (const witness of this.#all) witness.onBackground(text, name);
    });
    kernel.onLateDisplay((event) => {
      for (const witness of this.#all) witness.onLateDisplay(event);
    });
  }

  /** A promise only where a witness asks to wait. */
  tell(execution: Execution, event: KernelEvent): void | Promise<void> {
    const waits: Promise<void>[] = [];
    for (const witness of this.#all) {
      const wait = witness.onEvent(execution, event);
      if (wait !== undefined) waits.push(wait);
    }
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }
}
