import type { KernelCheckpoint } from "../../kernel/runner/checkpoints/kernel-checkpoint.ts";
import { heldByCopies, memoryUse } from "../../support/process/held-memory.ts";
import type { PythonTool } from "../python-tools.ts";
import type { LineCell } from "./cell-line.ts";
import { leastMissed } from "./thinning.ts";

/** A state of the session, and the sleeping copy that has it. */
export interface KeptState {
  readonly id: string;
  readonly takenAt: number;
  /** Null when it came to nothing. */
  readonly copy: Promise<KernelCheckpoint | null>;
  readonly tools: readonly PythonTool[];
  /** The cells that led to it. */
  readonly line: LineCell | null;
  /** The state that this one grew out of. */
  parent: KeptState | null;
  known: KernelCheckpoint | null;
  heldBytes: number | null;
}

interface KeptStatesOptions {
  limits(): { readonly copies: number; readonly memoryBytes: number };
  /** The process of the kernel itself; null without one. */
  kernelPid(): number | null;
  /** Whether a cell runs, which may change memory that copies then hold. */
  isBusy(): boolean;
  /** Called with each that is gone, for any reason. */
  onRemoved(state: KeptState): void;
}

/** How long to wait after a new copy, and then between two looks at memory: the system walks through all of it. */
const measureMs = 1000;
const mostMeasureMs = 30_000;

/** As many states as the settings allow, and as much memory. */
export class KeptStates {
  readonly #options: KeptStatesOptions;
  /** The oldest first. */
  #all: readonly KeptState[] = [];
  #measuring: NodeJS.Timeout | undefined;
  /** The one that is about to be restored makes no room for others. */
  spared: KeptState | null = null;

  constructor(options: KeptStatesOptions) {
    this.#options = options;
  }

  get all(): readonly KeptState[] {
    return this.#all;
  }

  add(state: KeptState): void {
    this.#all = [...this.#all, state];
  }

  /** The copy of a state is there. It may have been dropped before. */
  arrived(state: KeptState, copy: KernelCheckpoint): void {
    state.known = copy;
    void copy.ended.then(() => this.remove(state));
    if (!this.#all.includes(state)) return copy.drop();
    this.#thin();
    this.#measureSoon(measureMs);
  }

  drop(state: KeptState): void {
    this.remove(state);
    void state.copy.then((copy) => copy?.drop());
  }

  /** States that grew out of it have grown out of its parent. */
  remove(state: KeptState): void {
    this.#all = this.#all.filter((other) => other !== state);
    for (const other of this.#all) if (other.parent === state) other.parent = state.parent;
    this.#options.onRemoved(state);
  }

  /** Ends all copies. */
  clear(): void {
    for (const { copy } of this.#all) void copy.then((known) => known?.drop());
    this.#all = [];
    clearTimeout(this.#measuring);
    this.#measuring = undefined;
  }

  #thin(): void {
    const known = this.#all.filter((state) => state.known !== null && state !== this.spared);
    const room = this.#options.limits().copies - (this.spared === null ? 0 : 1);
    if (known.length <= room) return;
    const least = known[leastMissed(known.map(({ known }) => known?.count ?? 0))];
    if (least !== undefined) this.drop(least);
  }

  #measureSoon(afterMs: number): void {
    this.#measuring ??= setTimeout(() => void this.#measure(afterMs).catch(() => undefined), afterMs).unref();
  }

  async #measure(waitedMs: number): Promise<void> {
    const pid = this.#options.kernelPid();
    const original = pid === null ? null : await memoryUse(pid);
    const uses = await Promise.all(
      this.#all.map(async (state) => ({ state, use: state.known && (await memoryUse(state.known.pid)) })),
    );
    this.#measuring = undefined;
    for (const { state, use } of uses) state.heldBytes = use?.own ?? null;
    const held = heldByCopies(
      original,
      uses.flatMap(({ use }) => (use === null ? [] : [use])),
    );
    const [oldest] = this.#all;
    if (oldest === undefined) return;
    const holdsTooMuch = held > this.#options.limits().memoryBytes;
    if (holdsTooMuch) this.drop(oldest);
    if (holdsTooMuch || this.#options.isBusy())
      this.#measureSoon(holdsTooMuch ? measureMs : Math.min(2 * waitedMs, mostMeasureMs));
  }
}
