import { AsyncLocalStorage } from "node:async_hooks";
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

/**
 * Which session waits for which. A cell waits for the tool that it called; if that tool runs a cell in the same
 * session, or in one that waits for this one, both would wait for ever.
 */
const working = new AsyncLocalStorage<object>();
/** A count, since one session may wait for several cells of another. */
const waitsFor = new Map<object, Map<object, number>>();

/** Runs a tool on behalf of the session that called it. */
export function onBehalfOf<T>(caller: object, work: () => T): T {
  return working.run(caller, work);
}

/** The session whose tool runs here, if any. */
export function whoWaits(): object | undefined {
  return working.getStore();
}

/** Whether `caller` waiting for `target` would close a cycle. */
export function wouldWaitForItself(caller: object, target: object, seen: ReadonlySet<object> = new Set()): boolean {
  if (caller === target) return true;
  if (seen.has(target)) return false;
  const nexts = waitsFor.get(target)?.keys() ?? [];
  return [...nexts].some((next) => wouldWaitForItself(caller, next, new Set([...seen, target])));
}

/** Registers a wait until `over` settles. */
export function noteWaiting(caller: object, target: object, over: Promise<unknown>): void {
  const targets = waitsFor.get(caller) ?? new Map<object, number>();
  waitsFor.set(caller, targets.set(target, (targets.get(target) ?? 0) + 1));
  void over.then(() => {
    const left = (targets.get(target) ?? 0) - 1;
    if (left > 0) targets.set(target, left);
    else targets.delete(target);
    if (targets.size === 0 && waitsFor.get(caller) === targets) waitsFor.delete(caller);
  });
}
