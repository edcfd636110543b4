import type { CapturedDisplay } from "../../../output/capture.ts";
import type { StatusEvent } from "../../../output/display/status-event.ts";

/** As many as a result has; more of them nobody could see. */
const mostKept = 1000;

/** What helpers have reported while a cell runs; a report that is updated, such as progress, is there once. */
export class OngoingEvents {
  #events = new Map<string | symbol, StatusEvent>();

  get all(): readonly StatusEvent[] {
    return [...this.#events.values()];
  }

  /** False when the display reports nothing. */
  take({ displayId, parts }: CapturedDisplay): boolean {
    const reported = parts.find((part) => part.type === "status");
    if (reported === undefined) return false;
    this.#events.set(displayId ?? Symbol(), reported.event);
    const [oldest] = this.#events.keys();
    if (this.#events.size > mostKept && oldest !== undefined) this.#events.delete(oldest);
    return true;
  }

  clear(): void {
    this.#events.clear();
  }
}
