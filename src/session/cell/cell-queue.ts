import { GranaryError } from "../../support/granary-error.ts";
import type { Cell, Execution, ExecutionResult } from "../execution/execution.ts";
import type { SharedRunOptions } from "../execution/run-options.ts";

/** A cell in a session's queue. */
export interface Queued {
  readonly execution: Execution;
  readonly options: SharedRunOptions;
  /** Nothing is run: the kernel is ended, and the next cell gets a fresh one. */
  readonly onlyReset: boolean;
  /** The kernel that is there is going to be ended on its behalf. */
  awaitsReset: boolean;
}

/**
 * Makes the result, in the moment in which it is told: what it says of the kernel is only new to whoever has not been told
 * by another result before.
 */
export type Conclusion = () => ExecutionResult;

export interface QueueDuties {
  perform(queued: Queued): Promise<Conclusion>;
  /** The result of one that was cancelled before its turn. */
  cancelled(queued: Queued): ExecutionResult;
  /** The result when `perform` threw, which it should not. */
  broken(queued: Queued, error: unknown): ExecutionResult;
  /** Called when the last one is over. */
  onIdle(): void;
}

/** Nobody watches a place far behind, and telling everybody of every move would cost more than the cells. */
const toldOfMoves = 20;

/** One cell after the other: every one that is added is settled, once. */
export class CellQueue {
  readonly #duties: QueueDuties;
  #waiting: readonly Queued[] = [];
  #running: Queued | null = null;

  constructor(duties: QueueDuties) {
    this.#duties = duties;
  }

  get running(): Queued | null {
    return this.#running;
  }

  /** The one whose turn is next. */
  get next(): Queued | null {
    return this.#waiting[0] ?? null;
  }

  get all(): readonly Queued[] {
    return this.#running === null ? this.#waiting : [this.#running, ...this.#waiting];
  }

  add(queued: Queued): void {
    const { execution } = queued;
    execution.tell({ type: "queued", position: this.all.length });
    this.#waiting = [...this.#waiting, queued];
    if (execution.signalWhileRunning.aborted) this.#cancel(queued);
    void this.#advance();
    const hasToWait = this.#waiting.includes(queued);
    if (hasToWait) execution.signal.addEventListener("abort", () => this.#cancel(queued), { once: true });
  }

  async #advance(): Promise<void> {
    const next = this.next;
    if (this.#running !== null || next === null) return;
    this.#running = next;
    this.#remove(next);
    const conclude = await this.#perform(next);
    next.execution.settle(conclude());
    this.#running = null;
    if (this.next === null) this.#duties.onIdle();
    void this.#advance();
  }

  async #perform(queued: Queued): Promise<Conclusion> {
    try {
      return await this.#duties.perform(queued);
    } catch (error) {
      return () => this.#duties.broken(queued, error);
    }
  }

  /** One that waits can be cancelled without touching the one that runs. */
  #cancel(queued: Queued): void {
    if (!this.#waiting.includes(queued)) return;
    this.#remove(queued);
    queued.execution.settle(this.#duties.cancelled(queued));
  }

  #remove(queued: Queued): void {
    const place = this.#waiting.indexOf(queued);
    this.#waiting = this.#waiting.filter((other) => other !== queued);
    const running = this.#running === null ? 0 : 1;
    for (const [index, { execution }] of this.#waiting.slice(0, toldOfMoves).entries()) {
      const hasMoved = index >= place;
      if (hasMoved) execution.tell({ type: "queued", position: index + running });
    }
  }
}

/** Why a cell does not even get into the queue; null when it does. */
export function whyRefused(
  { reset, sharedWith = [], onlyAfter }: SharedRunOptions,
  session: {
    readonly whyClosed: string | null;
    readonly queue: readonly Queued[];
    /** A tool wants the cell that a cell of this session has called, and waits for. */
    readonly waitsForItself: boolean;
  },
): GranaryError | null {
  if (session.whyClosed !== null) {
    return new GranaryError("session-closed", `${session.whyClosed} Open the session again to go on.`);
  }
  if (session.waitsForItself) return new GranaryError("waits-for-itself", waitsForItself);
  if (!reset) return null;
  if (sharedWith.length > 0) return new GranaryError("session-shared", sharedReset(sharedWith));
  // Cells that belong together come one after the other, each with a reset if they like.
  const isOfItsOwn = onlyAfter === undefined;
  const anotherAwaitsReset = session.queue.some(({ awaitsReset }) => awaitsReset);
  return isOfItsOwn && anotherAwaitsReset ? new GranaryError("reset-in-progress", resetInProgress) : null;
}

const waitsForItself =
  "A cell of this session waits for the tool that wants to run this, so both would wait for ever. " +
  "Run it in another session, or write the code into the cell itself.";

function sharedReset(others: readonly string[]): string {
  return (
    `This session is also used by ${others.join(", ")}, whose variables a reset would delete. ` +
    "Use another session, or reset with force if that is what everybody wants."
  );
}

const resetInProgress =
  "A reset of this session is already under way. Wait for it, and run the cell without asking for another.";

/** What a caller wants run; one without the help of types may hand over anything. */
export function asCell(given: Cell | string): Cell {
  if (typeof given === "string") return { code: given };
  if (typeof given?.code === "string") return given;
  const wrong = typeof given === "object" && given !== null ? `one whose code is ${typeof given.code}` : String(given);
  throw new GranaryError(
    "not-a-cell",
    `A cell is a string of code, or an object with such a string as its code; this is ${wrong}.`,
  );
}
