import type { MimeBundle, StreamName } from "../kernel/events.ts";
import type { Completion } from "../kernel/kernel.ts";
import type { VariableLimits, VariableListing } from "../kernel/variables.ts";
import { checkTimeLimit } from "../support/check-argument.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { Checkpoint, RestoreTarget } from "./checkpoints/timeline.ts";
import type { Cell, Execution } from "./execution/execution.ts";
import type { SharedRunOptions } from "./execution/run-options.ts";
import type { Move } from "./kernel-life/life.ts";
import { nothingSeen, type SeenGeneration } from "./ledger.ts";
import type { PythonTools } from "./python-tools.ts";
import type { SharedSession } from "./shared-session.ts";

export interface RunOptions extends Omit<SharedRunOptions, "sharedWith" | "askedBy" | "seen" | "hardLimitMs"> {
  /** Resets a session also while others use it; their next result reports it. */
  readonly force?: boolean | undefined;
  /**
   * Continues without the caller: ignores the caller's signal, and ends after a hard limit of hours. `later`: the signal
   * works until `execution.detach()`.
   */
  readonly background?: boolean | "later" | undefined;
}

export interface SessionTerms {
  readonly owner: string;
  /** The last report to the owner about the session. */
  readonly seen: SeenGeneration;
  readonly backgroundMs: number;
  /** The other owners of the session. */
  others(): readonly string[];
  /** A sentence for the first result, if any. */
  firstNotice(): string | null;
  leave(): Promise<void>;
}

/**
 * An owner's hold on a session. Several owners may hold the same one; the last to leave closes it.
 *
 * @example
 * const session = runtime.session("analysis");
 * await session.run("prices = [3, 4, 5]").result;
 * const { output } = await session.run("sum(prices)").result;
 */
export class Session implements AsyncDisposable {
  /** @internal */
  readonly shared: SharedSession;
  readonly #terms: SessionTerms;

  /** @internal */
  constructor(session: SharedSession, terms: SessionTerms) {
    this.shared = session;
    this.#terms = terms;
  }

  get id(): string {
    return this.shared.id;
  }

  /** The functions that Python code has marked with `@tool`; `callPythonTool` calls one. */
  get pythonTools(): PythonTools {
    return this.shared.pythonTools;
  }

  /** Queues a cell; returns the execution at once, with a promise of its result. */
  run(cell: Cell | string, options: RunOptions = {}): Execution {
    checkTimeLimit(options.timeoutMs);
    const notice = this.#terms.firstNotice();
    const notices = notice === null ? options.notices : [notice, ...(options.notices ?? [])];
    return this.shared.run(cell, { ...this.#detached(options), ...this.#asOwner(options), notices });
  }

  /** Starts a kernel, so that the first cell need not wait for one. */
  start(options: Pick<RunOptions, "signal"> = {}): Execution {
    return this.run({ code: "", title: "start" }, { ...options, onlyStarts: true });
  }

  /** Keeps the kernel from making room for other sessions until the hold is disposed of. */
  hold(): Disposable {
    return this.shared.hold();
  }

  /** A fresh kernel for the next cell. */
  reset(options: Pick<RunOptions, "signal" | "force"> = {}): Execution {
    return this.shared.reset({ signal: options.signal, ...this.#asOwner(options) });
  }

  /** The states of the variables that can be restored, the oldest first. */
  checkpoints(): readonly Checkpoint[] {
    return this.shared.checkpoints?.() ?? [];
  }

  /**
   * Restores the variables of a checkpoint when its turn comes. Without one, undoes the last cell. Restoring can be undone in the
   * same way.
   *
   * @example
   * await session.restore({ cell: 3 }).result; // as after cell 3
   */
  restore(target: string | RestoreTarget = {}, options: Pick<RunOptions, "signal"> = {}): Execution {
    const { restore } = this.shared;
    if (restore === undefined) throw new GranaryError("no-checkpoint", "This session has no checkpoints.");
    const { seen } = this.#terms;
    return restore.call(this.shared, typeof target === "string" ? { id: target } : target, { ...options, seen });
  }

  /** Interrupts the cell that runs, and only that. */
  interrupt(): Promise<void> {
    return this.shared.interrupt();
  }

  /** The variables, also while a cell runs. */
  variables(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing> {
    return this.shared.variables(limits, signal);
  }

  complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion> {
    return this.shared.complete(code, cursor, signal);
  }

  inspect(code: string, cursor: number, signal?: AbortSignal): Promise<MimeBundle> {
    return this.shared.inspect(code, cursor, signal);
  }

  watch(watcher: (move: Move) => void): () => void {
    return this.shared.watch(watcher);
  }

  onBackground(listener: (text: string, name: StreamName) => void): () => void {
    return this.shared.onBackground(listener);
  }

  leave(): Promise<void> {
    return this.#terms.leave();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }

  #asOwner({ force }: RunOptions): Pick<SharedRunOptions, "sharedWith" | "askedBy" | "seen"> {
    const { owner, seen } = this.#terms;
    return { sharedWith: force ? [] : this.#terms.others(), askedBy: owner, seen };
  }

  #detached({ force: _, background, ...options }: RunOptions): SharedRunOptions {
    if (!background) return options;
    const signal = background === "later" ? options.signal : undefined;
    return { ...options, signal, hardLimitMs: this.#terms.backgroundMs };
  }
}

/** The owners of each session, and the last report to each. */
export class Owners {
  readonly #seen = new Map<SharedSession, Map<string, SeenGeneration>>();

  /** @returns the last report to that owner */
  add(session: SharedSession, owner: string): SeenGeneration {
    const owners = this.#seen.get(session) ?? new Map<string, SeenGeneration>();
    const seen = owners.get(owner) ?? { ...nothingSeen };
    this.#seen.set(session, owners.set(owner, seen));
    return seen;
  }

  /** @returns whether it held the session and was the last owner */
  remove(session: SharedSession, owner: string): boolean {
    const owners = this.#seen.get(session);
    if (!owners?.delete(owner) || owners.size > 0) return false;
    return this.#seen.delete(session);
  }

  /** All owners but that one. */
  othersThan(owner: string, session: SharedSession): readonly string[] {
    return [...(this.#seen.get(session)?.keys() ?? [])].filter((name) => name !== owner);
  }
}
