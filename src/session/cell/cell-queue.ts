import { GranaryError } from "../../support/granary-error.ts";
import type { Cell, Execution, ExecutionResult } from "../execution/execution.ts";
import type { SharedRunOptions } from "../execution/run-options.ts";

/** A cell in a session's queue. */
export interface Queued {
  readonly execution: Execution;
  readonly options: SharedRunOptions;
  /** Runs nothing: ends the kernel, and the next cell gets a fresh one. */
  readonly onlyReset: boolean;
  /** Runs no cell: does this when its turn comes. Its result has the sentences that this returns. */
  readonly work?: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** The current kernel will be ended for it. */
  awaitsReset: boolean;
}

/**
 * Makes the result at the moment of delivery: a restart is reported once to each owner, and another result may have
 * reported it by then.
 */
export type Conclusion = () => ExecutionResult;

export interface QueueDuties {
  perform(queued: Queued): Promise<Conclusion>;
  /** The result of a cell that was cancelled before its turn. */
  cancelled(queued: Queued): ExecutionResult;
  /** Whether it may run now. The session calls `advance` when this has changed. */
  mayRun(queued: Queued): boolean;
  /** The result when `perform` threw, which it should not. */
  broken(queued: Queued, error: unknown): ExecutionResult;
  /** Called after the last one. */
  onIdle(): void;
}

/** Moves far back in the queue are not reported: reporting every move would cost more than the cells. */
const toldOfMoves = 20;

/** Runs one cell after the other, and settles each one once. */
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
    return this.#waiting.find((queued) => this.#duties.mayRun(queued)) ?? null;
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

  /** Runs the next one, if none is running. */
  advance(): void {
    void this.#advance();
  }

  async #advance(): Promise<void> {
    const next = this.#running === null ? this.next : null;
    if (next === null) return;
    this.#running = next;
    this.#remove(next);
    const conclude = await this.#perform(next);
    next.execution.settle(conclude());
    this.#running = null;
    if (this.#waiting.length === 0) this.#duties.onIdle();
    void this.#advance();
  }

  async #perform(queued: Queued): Promise<Conclusion> {
    try {
      return await this.#duties.perform(queued);
    } catch (error) {
      return () => this.#duties.broken(queued, error);
    }
  }

  /** A waiting cell can be cancelled without touching the running one. */
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

/** Why a cell is refused; null when it may enter the queue. */
export function whyRefused(
  { reset, sharedWith = [], onlyAfter }: SharedRunOptions,
  session: {
    readonly whyClosed: string | null;
    readonly queue: readonly Queued[];
    /** A tool that a running cell of this session waits for wants to run this cell: a deadlock. */
    readonly waitsForItself: boolean;
  },
): GranaryError | null {
  if (session.whyClosed !== null) {
    return new GranaryError("session-closed", `${session.whyClosed} Open the session again to continue.`);
  }
  if (session.waitsForItself) return new GranaryError("waits-for-itself", waitsForItself);
  if (!reset) return null;
  if (sharedWith.length > 0)
    return new GranaryError("session-shared", sharedReset(sharedWith), { details: { others: sharedWith } });
  // Cells that belong together follow one another, each with its own reset if asked for.
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
    "Use another session, or reset with force if all of them agree."
  );
}

const resetInProgress =
  "A reset of this session is already under way. Wait for it, and run the cell without asking for another.";

/** Checks a caller's cell; plain JavaScript may pass anything. */
export function asCell(given: Cell | string): Cell {
  if (typeof given === "string") return { code: given };
  if (typeof given?.code === "string") return given;
  const wrong = typeof given === "object" && given !== null ? `one whose code is ${typeof given.code}` : String(given);
  throw new GranaryError(
    "not-a-cell",
    `A cell is a string of code, or an object with such a string as its code; this is ${wrong}.`,
  );
}
