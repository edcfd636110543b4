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
import { sayRecentCells } from "./recent-cells.ts";
import type { SharedSession } from "./shared-session.ts";

export interface RunOptions
  extends Omit<SharedRunOptions, "sharedWith" | "askedBy" | "by" | "consent" | "seen" | "hardLimitMs" | "capture"> {
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
  /** The owner's name for people. */
  readonly label: string;
  /** The last report to the owner about the session. */
  readonly seen: SeenGeneration;
  readonly backgroundMs: number;
  /** The other owners of the session. */
  others(): readonly string[];
  /** A sentence for the first result, if any. */
  firstNotice(): string | null;
  /** The owner's word for the session's folder; missing where no other client can be the one that starts its kernels. */
  readonly consent?: SharedRunOptions["consent"];
  /** Captures the output as this owner wants it; undefined for the session's own way. */
  readonly capture?: SharedRunOptions["capture"];
  /** Missing where sessions cannot be branched. */
  readonly branches?: { fork(name: string): Promise<Session>; keep(branch: Session): Promise<void> } | undefined;
  /** The folders for files that are saved while cells run; missing where there are no limits. */
  readonly saveRoots?: SaveRoots | undefined;
  leave(options: { readonly ends: boolean }): Promise<void>;
}

/** Limits `asked`, the folders that the caller allows for these files, to those of the session; null for any. */
export type SaveRoots = (
  files: readonly string[],
  asked: readonly string[] | null,
) => Promise<readonly string[] | null>;

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

  /** @internal Where Granary may save files while cells run, which could put links in their place; null for anywhere. */
  async saveRoots(files: readonly string[], asked: readonly string[] | null = null): Promise<readonly string[] | null> {
    return this.#terms.saveRoots === undefined ? asked : this.#terms.saveRoots(files, asked);
  }

  /** Queues a cell; returns the execution at once, with a promise of its result. */
  run(cell: Cell | string, options: RunOptions = {}): Execution {
    checkTimeLimit(options.timeoutMs);
    const news = [this.#terms.firstNotice(), this.#cellsOfOthers()].filter((sentence) => sentence !== null);
    const notices = news.length === 0 ? options.notices : [...news, ...(options.notices ?? [])];
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
    return this.shared.checkpoints();
  }

  /**
   * Restores the variables of a checkpoint when its turn comes. Without one, undoes the last cell. Restoring can be undone in the
   * same way.
   *
   * @example
   * await session.restore({ cell: 3 }).result; // as after cell 3
   */
  restore(target: string | RestoreTarget = {}, options: Pick<RunOptions, "signal"> = {}): Execution {
    const { seen, consent } = this.#terms;
    return this.shared.restore(typeof target === "string" ? { id: target } : target, { ...options, seen, consent });
  }

  /**
   * A further session that begins with the variables of this one, and goes its own way. Works also without `python.checkpoints`.
   *
   * @example
   * const variant = await session.fork("variant-b");
   */
  fork(name: string): Promise<Session> {
    return this.#branches.fork(name);
  }

  /** Continues with the variables of a branch, which ends. Variables that only this session had are gone. */
  keep(branch: Session): Promise<void> {
    return this.#branches.keep(branch);
  }

  get #branches(): NonNullable<SessionTerms["branches"]> {
    const { branches } = this.#terms;
    if (branches === undefined) throw new GranaryError("no-checkpoint", "This session cannot be branched.");
    return branches;
  }

  /** @internal The owner has seen the cells of others, so that the next result need not name them. */
  markSeen(): void {
    this.#terms.seen.cells = this.shared.recentCells.count;
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
    return this.#terms.leave({ ends: false });
  }

  /** @internal Leaves, and ends the session, unless others use it, also where it would be kept. */
  end(): Promise<void> {
    return this.#terms.leave({ ends: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }

  #asOwner({
    force,
  }: RunOptions): Pick<SharedRunOptions, "sharedWith" | "askedBy" | "by" | "consent" | "seen" | "capture"> {
    const { owner, label, consent, seen, capture } = this.#terms;
    return { sharedWith: force ? [] : this.#terms.others(), askedBy: owner, by: label, consent, seen, capture };
  }

  /** The cells that others ran since the owner's last call. A new owner learns of none. */
  #cellsOfOthers(): string | null {
    const { owner, seen } = this.#terms;
    const { recentCells } = this.shared;
    const sentence = seen.cells === null ? null : sayRecentCells(recentCells.since(seen.cells, owner));
    seen.cells = recentCells.count;
    return sentence;
  }

  #detached({ force: _, background, ...options }: RunOptions): SharedRunOptions {
    if (!background) return options;
    const signal = background === "later" ? options.signal : undefined;
    return { ...options, signal, hardLimitMs: this.#terms.backgroundMs };
  }
}

/** As many as cells are remembered. */
const mostRemembered = 100;

/** The owners of each session, and the last report to each. */
export class Owners {
  readonly #seen = new Map<SharedSession, Map<string, { readonly seen: SeenGeneration; readonly label: string }>>();
  /** These stay without an owner. */
  readonly #kept = new WeakSet<SharedSession>();
  /** Of owners that left a session that stays: a resumed conversation learns what others ran. */
  readonly #past = new WeakMap<SharedSession, Map<string, SeenGeneration>>();

  /**
   * @param keeps whether the session stays when its last owner leaves
   * @returns the last report to that owner
   */
  add(session: SharedSession, owner: string, { keeps = false, label = owner } = {}): SeenGeneration {
    if (keeps) this.#kept.add(session);
    const owners = this.#seen.get(session) ?? new Map();
    const seen = owners.get(owner)?.seen ?? this.#past.get(session)?.get(owner) ?? { ...nothingSeen };
    this.#seen.set(session, owners.set(owner, { seen, label }));
    return seen;
  }

  /** @returns whether it held the session and was the last owner, so that the session should be closed */
  remove(session: SharedSession, owner: string, { ends = false } = {}): boolean {
    const owners = this.#seen.get(session);
    const seen = owners?.get(owner)?.seen;
    if (seen !== undefined && this.#kept.has(session)) this.#remember(session, owner, seen);
    if (!owners?.delete(owner) || owners.size > 0) return false;
    this.#seen.delete(session);
    return ends || !this.#kept.has(session);
  }

  #remember(session: SharedSession, owner: string, seen: SeenGeneration): void {
    const past = this.#past.get(session) ?? new Map<string, SeenGeneration>();
    past.delete(owner);
    past.set(owner, seen);
    for (const oldest of past.keys()) if (past.size > mostRemembered) past.delete(oldest);
    this.#past.set(session, past);
  }

  /** The names of all owners but that one. */
  othersThan(owner: string | null, session: SharedSession): readonly string[] {
    const owners = [...(this.#seen.get(session) ?? [])];
    return owners.flatMap(([name, { label }]) => (name === owner ? [] : [label]));
  }
}
