import type { OnHostCall } from "../../kernel/host-call.ts";
import type { ExecuteOptions, Kernel } from "../../kernel/kernel.ts";
import type { CheckpointAnswer, KernelCheckpoint } from "../../kernel/runner/checkpoints/kernel-checkpoint.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { PythonTool } from "../python-tools.ts";
import { cannotBeCopied } from "./branch.ts";
import { changeOf, type LineCell, type LineChange, type LineMove, numberOf } from "./cell-line.ts";
import { CheckpointPace } from "./checkpoint-pace.ts";
import { type KeptState, KeptStates } from "./kept-states.ts";

export interface CheckpointSettings {
  readonly mode: "off" | "auto" | "always";
  readonly copies: number;
  readonly memoryBytes: number;
  isMemoryShort(): boolean;
}

/** A state of the variables that can be restored. */
export interface Checkpoint {
  readonly id: string;
  /** The variables are as they were after this cell; 0 for those before the first. */
  readonly cell: number;
  /** The sleeping process. */
  readonly pid: number;
  /** In milliseconds of `Date.now()`. */
  readonly takenAt: number;
  /** The memory that it alone holds, in bytes; null as long as it is not known. */
  readonly heldBytes: number | null;
  /** Whether the variables are just so. */
  readonly isCurrent: boolean;
  /** The id of that cell's execution; null before the first. */
  readonly execution: string | null;
  /** Whether that cell was undone, so that its number may be in use again. */
  readonly isUndone: boolean;
}

/** Which state to restore: that of a checkpoint, or after a cell; without any, that before the last cell. */
export interface RestoreTarget {
  readonly id?: string | undefined;
  /** The number of the cell; 0 for the state before the first. */
  readonly cell?: number | undefined;
  /** The id of the cell's execution, which also names a cell that was undone and whose number is in use again. */
  readonly execution?: string | undefined;
}

/** The session, as far as it concerns checkpoints. */
export interface TimelineOwner {
  readonly onHostCall: OnHostCall;
  tools(): readonly PythonTool[];
  /** The cells whose effects are in the variables. */
  line(): LineCell | null;
  putBack(tools: readonly PythonTool[], line: LineCell | null, why: LineMove): void;
  kernel(): Kernel | null;
  /** Whether cells run or wait. */
  isBusy(): boolean;
}

export type CreateTimeline = (owner: TimelineOwner) => Timeline;

/** The states of a session that can be restored: sleeping copies of its kernels. */
export class Timeline {
  /** Asked at every cell: in the hub, those of the client that used the session last. */
  readonly #settings: () => CheckpointSettings;
  readonly #owner: TimelineOwner;
  readonly #pace = new CheckpointPace();
  readonly #states: KeptStates;
  /** The one that the variables have grown out of. */
  #head: KeptState | null = null;
  /** Whether the variables are still as they were there. */
  #isAtHead = false;
  #whyNot: string | null = null;
  #last = 0;
  #hasRun = false;

  constructor(settings: () => CheckpointSettings, owner: TimelineOwner) {
    this.#settings = settings;
    this.#owner = owner;
    this.#states = new KeptStates({
      limits: settings,
      kernelPid: () => owner.kernel()?.info.pid ?? null,
      isBusy: () => owner.isBusy(),
      onRemoved: (state) => this.#stepBackFrom(state),
    });
  }

  /** Whether a kernel that dies now has something to go back to. */
  get hasCheckpoint(): boolean {
    return this.#head !== null;
  }

  /** Whether there are none, and will be none. */
  get isOff(): boolean {
    return this.#settings().mode === "off" && this.#states.all.length === 0;
  }

  /** Why there is no checkpoint right before the last cell; null when there is, or none was wanted. */
  get whyNot(): string | null {
    return this.#whyNot;
  }

  /** Each state once: of several copies that have it, the present or the newest one. */
  get checkpoints(): readonly Checkpoint[] {
    const all = this.#all;
    const shown = new Map<string | null, Checkpoint>();
    for (const one of all) if (!shown.get(one.execution)?.isCurrent) shown.set(one.execution, one);
    // Without a line, nothing tells two of them apart.
    return all.filter((one) => one.execution === null || shown.get(one.execution) === one);
  }

  get #all(): readonly Checkpoint[] {
    const present = this.#owner.line();
    return this.#states.all.flatMap((state) => {
      const { id, takenAt, known, heldBytes, line } = state;
      if (known === null) return [];
      const isCurrent = state === this.#head && this.#isAtHead;
      const isUndone = changeOf(present, line).redone.length > 0;
      const execution = line?.id ?? null;
      return [{ id, cell: known.count, pid: known.pid, takenAt, heldBytes, isCurrent, execution, isUndone }];
    });
  }

  /** Settles when all copies that are on their way have arrived. */
  async settled(): Promise<void> {
    await Promise.all(this.#states.all.map(({ copy }) => copy));
  }

  /** A kernel that has run nothing: there is nothing to lose. */
  isFresh(): void {
    this.#hasRun = false;
  }

  /**
   * The cell is about to be sent; with the returned function, its request asks for a checkpoint.
   * @param inSeries whether the cell before it belongs to the same notebook run
   */
  async beforeCell(kernel: Kernel, inSeries = false): Promise<ExecuteOptions["onCheckpoint"]> {
    if (!inSeries) this.#pace.mayBeginSeries();
    const wasAtHead = this.#isAtHead;
    const hadRun = this.#hasRun;
    this.#hasRun = true;
    this.#isAtHead = false;
    this.#whyNot = null;
    if (wasAtHead || !hadRun || this.#settings().mode === "off") return undefined;
    const line = this.#owner.line();
    this.#whyNot = await this.#whyNone(kernel, inSeries);
    return this.#whyNot === null ? (answer) => void this.#add(answer, line) : undefined;
  }

  /**
   * A checkpoint of an idle kernel, if there is none of this state yet.
   * @param sparing the one that is about to be restored: it does not make room for this one
   */
  async takeNow(kernel: Kernel, sparing?: string): Promise<void> {
    if (this.#isAtHead || !this.#hasRun || this.#settings().mode === "off") return;
    const whyNot = await this.#whyNone(kernel);
    if (whyNot !== null || kernel.checkpoints === undefined) return;
    this.#isAtHead = true;
    this.#states.spared = sparing === undefined ? null : this.#find(sparing);
    await this.#add(kernel.checkpoints.take(), this.#owner.line()).finally(() => {
      this.#states.spared = null;
    });
  }

  /** A kernel as it was at the newest state that the lost one had grown out of; null where there is none. */
  async takeOver(signal: AbortSignal): Promise<Kernel | null> {
    for (let state = this.#head; state !== null; state = this.#head) {
      const kernel = await this.#restored(state, "crash", signal);
      if (kernel !== null) return kernel;
    }
    this.#hasRun = false;
    return null;
  }

  /** @throws `no-checkpoint` with those that there are */
  named(id: string): Pick<Checkpoint, "id" | "cell"> {
    return { id, cell: this.#find(id).known?.count ?? 0 };
  }

  /** The cells that are gone and back when that state is restored; null for a fresh Python. */
  changeTo(id: string | null): LineChange {
    return changeOf(this.#owner.line(), id === null ? null : this.#find(id).line);
  }

  /** Null where it does not work; it is gone then. */
  async restore(id: string, signal: AbortSignal): Promise<Kernel | null> {
    return this.#restored(this.#find(id), "undo", signal);
  }

  /** A fresh kernel takes the place of the present one, whose states stay. */
  startOver(): void {
    this.#head = null;
    this.#isAtHead = false;
    this.#hasRun = false;
    this.#owner.putBack([], null, "undo");
  }

  /** The copy of the present state; null where there is none. */
  async present(): Promise<KernelCheckpoint | null> {
    return this.#isAtHead ? ((await this.#head?.copy) ?? null) : null;
  }

  /** The variables are no longer as they were at the newest checkpoint, though no cell ran here. */
  moveOn(): void {
    this.#isAtHead = false;
    this.#hasRun = true;
  }

  /**
   * The checkpoint that undoes the last cell, or all cells after that one. Null for the state before the first cell, which needs none.
   * @throws `no-checkpoint` with those that there are
   */
  before({ cell, execution }: RestoreTarget): Checkpoint | null {
    const all = this.#all;
    const known = (state: KeptState | null | undefined): Checkpoint | undefined =>
      all.find(({ id }) => id === state?.id);
    const line: KeptState[] = [];
    for (let state = this.#head; state !== null; state = state.parent) line.push(state);
    const earlier = this.#isAtHead ? line.slice(1) : line;
    const isAhead = cell !== undefined && cell > numberOf(this.#owner.line());
    const after = (): Checkpoint | undefined => {
      if (execution !== undefined)
        return known(this.#states.all.findLast((state) => state.known !== null && state.line?.id === execution));
      // A number means a cell that counts. Only behind the last of them is it a cell that was undone.
      return isAhead ? this.#newestAhead(all, cell) : line.map(known).find((one) => one?.cell === cell);
    };
    const isLast = cell === undefined && execution === undefined;
    const found = isLast ? known(earlier[0]) : after();
    if (found !== undefined) return found;
    const isFirst = cell === 0 || (isLast && this.#owner.line()?.place === 1);
    if (isFirst && this.#owner.kernel()?.checkpoints !== undefined) return null;
    throw new GranaryError("no-checkpoint", this.#whyNothing(execution ?? cell));
  }

  /** Whether the variables are as that target wants them, so that there is nothing to do. */
  isThere({ id, cell, execution }: RestoreTarget): boolean {
    const present = this.#owner.line();
    if (this.#owner.kernel() === null) return false;
    if (id !== undefined) return present !== null && this.#find(id).line === present;
    if (execution !== undefined) return present?.id === execution;
    return cell !== undefined && cell === numberOf(present);
  }

  /** The number of the last cell whose effects are in the variables; 0 for none. */
  get cell(): number {
    return numberOf(this.#owner.line());
  }

  /** Ends all copies, so that their memory is free; the kernel continues. */
  dropAll(): void {
    for (const state of this.#states.all) this.#states.drop(state);
  }

  /** Ends all copies. */
  clear(): void {
    this.#states.clear();
    this.#head = null;
    this.#isAtHead = false;
    this.#hasRun = false;
  }

  /** Of states with that number, one that the present led to before others, and then the newest. */
  #newestAhead(all: readonly Checkpoint[], cell: number): Checkpoint | undefined {
    const newestFirst = all.filter((one) => one.cell === cell).reverse();
    return newestFirst.find(({ id }) => this.changeTo(id).undone.length === 0) ?? newestFirst[0];
  }

  async #whyNone(kernel: Kernel, inSeries = false): Promise<string | null> {
    if (kernel.checkpoints === undefined) return cannotBeCopied;
    const { mode, isMemoryShort } = this.#settings();
    if (isMemoryShort()) return "memory is short";
    const tooSoon = mode === "always" ? null : this.#pace.whyNot(performance.now(), inSeries);
    if (tooSoon !== null) return tooSoon;
    try {
      await kernel.checkpoints.ready();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async #add(answer: Promise<CheckpointAnswer>, line: LineCell | null): Promise<void> {
    const copy = answer.then((answer) => ("whyNot" in answer ? null : answer));
    const tools = this.#owner.tools();
    const id = `c${++this.#last}`;
    const grownFrom = { tools, line, parent: this.#head };
    const state: KeptState = { id, takenAt: Date.now(), copy, ...grownFrom, known: null, heldBytes: null };
    this.#states.add(state);
    this.#head = state;
    const answered = await answer;
    if ("whyNot" in answered) {
      if (this.#head === state) this.#whyNot = answered.whyNot;
      return this.#states.remove(state);
    }
    this.#pace.taken(answered.forkMs);
    this.#states.arrived(state, answered);
  }

  async #restored(state: KeptState, why: LineMove, signal: AbortSignal): Promise<Kernel | null> {
    const copy = await state.copy;
    const { onHostCall } = this.#owner;
    const kernel = await copy?.restore({ isAlone: true, signal, onHostCall }).catch(() => null);
    if (!kernel) {
      signal.throwIfAborted();
      this.#states.drop(state);
      return null;
    }
    this.#head = state;
    this.#isAtHead = true;
    this.#hasRun = true;
    this.#owner.putBack(state.tools, state.line, why);
    return kernel;
  }

  #find(id: string): KeptState {
    const found = this.#states.all.find((state) => state.id === id && state.known !== null);
    if (found !== undefined) return found;
    throw new GranaryError("no-checkpoint", `There is no checkpoint ${id}. ${listed(this.checkpoints)}`);
  }

  #whyNothing(target: number | string | undefined): string {
    const { cell: last, checkpoints } = this;
    const cell = typeof target === "number" ? `cell ${target}` : target;
    const why = this.#whyNot === null ? "" : ` The last cell has none: ${this.#whyNot}.`;
    if (cell !== undefined) return `There is no checkpoint after ${cell}. ${listed(checkpoints)}${why}`;
    if (last === 0) return `There is nothing to undo. ${listed(checkpoints)}${why}`;
    const all = this.#owner.kernel()?.checkpoints === undefined ? "" : ` ${startsOver}`;
    const others = checkpoints.length === 0 ? "" : ` ${listed(checkpoints)}`;
    return `Cell ${last} cannot be undone: there is no checkpoint of an earlier state.${why}${all}${others}`;
  }

  #stepBackFrom(state: KeptState): void {
    if (this.#head !== state) return;
    this.#head = state.parent;
    this.#isAtHead = false;
  }
}

/** Cells of a notebook run, or of a loop, have no checkpoint each. */
const startsOver = 'An undo to cell 0 (--to 0, for the tool kernels "to": 0) undoes all cells: Python starts again.';

function listed(all: readonly Checkpoint[]): string {
  if (all.length === 0) return "There are no checkpoints.";
  const sorted = [...all].sort((one, other) => one.cell - other.cell);
  const cells = sorted.map(({ cell, execution, isUndone }) => (isUndone ? `${cell} (${execution}, undone)` : cell));
  return `There are checkpoints after these cells: ${[...new Set(cells)].join(", ")}.`;
}
