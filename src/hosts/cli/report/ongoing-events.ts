import type { KernelEvent } from "../../../kernel/events.ts";
import { type StatusEvent, statusEvent } from "../../../output/display/status-event.ts";

/** As many as a result has; more of them nobody could see. */
const mostKept = 1000;

/** What helpers have reported while a cell runs; a report that is updated, such as progress, is there once. */
export class OngoingEvents {
  #events = new Map<string | symbol, StatusEvent>();

  get all(): readonly StatusEvent[] {
    return [...this.#events.values()];
  }

  /** False when the event reports nothing. */
  take(event: KernelEvent & { readonly type: "display" | "result" }): boolean {
    const reported = statusEvent(event.data);
    if (reported === null || typeof reported === "string") return false;
    const id = event.type === "display" ? event.displayId : undefined;
    this.#events.set(id ?? Symbol(), reported);
    const [oldest] = this.#events.keys();
    if (this.#events.size > mostKept && oldest !== undefined) this.#events.delete(oldest);
    return true;
  }

  clear(): void {
    this.#events.clear();
  }
}
