import type { KernelEvent, StreamName } from "../kernel/events.ts";
import type { CommMessage } from "../kernel/jupyter/messages/comms.ts";
import type { Kernel, LateDisplay } from "../kernel/kernel.ts";
import type { Execution } from "./execution/execution.ts";

/** Sees everything that happens in a session, on whose behalf it may be, and takes nothing from others. */
export interface SessionObserver {
  /** An event of a cell, with all forms of what is shown. A promise delays the next event. */
  onEvent(execution: Execution, event: KernelEvent): void | Promise<void>;
  /** Text and displays of threads and child processes between two cells. */
  onBackground(text: string, name: StreamName): void;
  onLateDisplay(event: LateDisplay): void;
  onLateComm?(message: CommMessage): void;
  /** The question of the execution is another one, or none. */
  onQuestion?(execution: Execution): void;
}

/** The observers of a session. */
export class SessionObservers {
  readonly #all = new Set<SessionObserver>();

  /** @returns a function that removes the observer */
  add(observer: SessionObserver): () => void {
    this.#all.add(observer);
    return () => void this.#all.delete(observer);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  listenTo(kernel: Kernel): void {
    kernel.onBackground((text, name) => {
      for (const observer of this.#all) observer.onBackground(text, name);
    });
    kernel.onLateDisplay((event) => {
      for (const observer of this.#all) observer.onLateDisplay(event);
    });
    kernel.comms?.onLate((message) => {
      for (const observer of this.#all) observer.onLateComm?.(message);
    });
  }

  questionChanged(execution: Execution): void {
    for (const observer of this.#all) observer.onQuestion?.(execution);
  }

  /** A promise only where an observer asks to wait. */
  tell(execution: Execution, event: KernelEvent): void | Promise<void> {
    const waits: Promise<void>[] = [];
    for (const observer of this.#all) {
      const wait = observer.onEvent(execution, event);
      if (wait !== undefined) waits.push(wait);
    }
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
  }
}
