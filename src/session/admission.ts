import { wouldWaitForItself } from "../bridge/waiting.ts";
import { type Deferred, deferred } from "../support/deferred.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { LocalSession } from "./local-session.ts";

interface Waiting {
  readonly session: LocalSession;
  readonly letIn: Deferred<void>;
  readonly onWait: (reason: string) => void;
  toldWhy: string | null;
}

/** Lets in as many sessions as may have a kernel; the idle one that was used least recently makes room. */
export class Admission {
  readonly #places: number;
  readonly #setting: string;
  readonly #inside = new Set<LocalSession>();
  #line: readonly Waiting[] = [];

  /** @param setting the name of the setting that has the number of places */
  constructor(places: number, setting = "python.maxSessions") {
    this.#places = places;
    this.#setting = setting;
  }

  /** Settles when the session is in, in the order of the calls. Rejects when the signal aborts. */
  async enter(session: LocalSession, signal: AbortSignal, onWait: (reason: string) => void): Promise<void> {
    signal.throwIfAborted();
    const waiting: Waiting = { session, letIn: deferred(), onWait, toldWhy: null };
    const giveUp = (): void => {
      this.#line = this.#line.filter((other) => other !== waiting);
      waiting.letIn.reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#line = [...this.#line, waiting];
    this.somethingChanged();
    try {
      await waiting.letIn.promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  leave(session: LocalSession): void {
    if (this.#inside.delete(session)) this.somethingChanged();
  }

  /** A session may have become idle. */
  somethingChanged(): void {
    while (this.#inside.size < this.#places) {
      const next = this.#line[0];
      if (next === undefined) return;
      this.#line = this.#line.slice(1);
      this.#inside.add(next.session);
      next.letIn.resolve();
    }
    // A session that is shutting down leaves its place to the first in line; the others need an idle session to make room.
    const leaving = [...this.#inside].filter(({ life }) => life === "shutting down").length;
    for (const waiting of this.#line.slice(leaving)) {
      const idle = this.#leastRecentlyUsed();
      if (idle === null) this.#tellWhy(waiting);
      else void idle.park("Another session needed its place, and it was the one unused for longest.");
    }
    if (this.#nobodyWillLeave()) this.#turnAway(this.#line.at(-1) as Waiting);
  }

  /** Every session inside waits for a tool, or for another cell of its call, and that one waits in line: a deadlock. */
  #nobodyWillLeave(): boolean {
    const waitsForLine = (inside: LocalSession): boolean =>
      this.#line.some(({ session }) => wouldWaitForItself(session, inside));
    return this.#line.length > 0 && [...this.#inside].every(waitsForLine);
  }

  #turnAway(waiting: Waiting): void {
    this.#line = this.#line.filter((other) => other !== waiting);
    waiting.letIn.reject(new GranaryError("waits-for-itself", this.#whyNever()));
  }

  #tellWhy(waiting: Waiting): void {
    const why = this.#whyItWaits();
    if (waiting.toldWhy === why) return;
    waiting.toldWhy = why;
    waiting.onWait(why);
  }

  #leastRecentlyUsed(): LocalSession | null {
    const idle = [...this.#inside].filter((session) => session.isIdle);
    return idle.sort((a, b) => a.idleSince - b.idleSince)[0] ?? null;
  }

  #whyNever(): string {
    const names = [...this.#inside].map(({ id }) => id).join(", ");
    return `All ${this.#places} Python sessions (${names}) wait for a tool or a cell that needs one more. The setting ${this.#setting} allows more.`;
  }

  #whyItWaits(): string {
    const names = [...this.#inside].map(({ id }) => id).join(", ");
    const all = this.#places === 1 ? "The only Python session is" : `All ${this.#places} Python sessions are`;
    return `${all} busy (${names}): this one waits until one is idle. The setting ${this.#setting} allows more.`;
  }
}
