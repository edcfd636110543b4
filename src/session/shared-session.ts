import type { MimeBundle, StreamName } from "../kernel/events.ts";
import type { Completion, Kernel, KernelInfo } from "../kernel/kernel.ts";
import type { VariableLimits, VariableListing } from "../kernel/variables.ts";
import type { Checkpoint, RestoreTarget } from "./checkpoints/timeline.ts";
import type { Cell, Execution } from "./execution/execution.ts";
import type { ExecutionLook } from "./execution/look-inside.ts";
import type { SharedResetOptions, SharedRunOptions } from "./execution/run-options.ts";
import type { Life, Move } from "./kernel-life/life.ts";
import type { PythonTools } from "./python-tools.ts";
import type { RecentCells } from "./recent-cells.ts";

export interface SessionHold extends Disposable {
  /** Settles when the work before it is over. */
  readonly turn: Promise<unknown>;
}

/**
 * A conversation with Python that outlives any one kernel: one queue, one kernel at a time. What callers may use of a
 * `LocalSession`: its kernels and its place among other sessions are the pool's business.
 */
export interface SharedSession {
  readonly id: string;
  /** The functions that Python code offers the agent. */
  readonly pythonTools: PythonTools;
  /** The latest cells, and who ran them. */
  readonly recentCells: RecentCells;
  readonly life: Life;
  readonly generation: number;
  /** The number of the kernel's last cell; 0 before the first. */
  readonly executionCount: number;
  /** The living kernel, for what may be asked beside the queue; null when there is none in this process. */
  readonly kernel: Kernel | null;
  readonly info: KernelInfo | null;
  /** Whether cells are running or waiting. */
  readonly isBusy: boolean;
  /** Whether there is an idle kernel; between two cells of one call it is in use. */
  readonly isIdle: boolean;
  /**
   * The work that a new cell would have to wait for; null for none, or if only a kernel starts or ends. Null also for a
   * tool that a cell of this session has called: the cell waits for the tool, not the tool for the cell.
   */
  readonly busyWith: Execution | null;
  /** When it was last used, in milliseconds of `performance.now()`. */
  readonly idleSince: number;
  /** Whether the kernel can list its variables; Jupyter kernels cannot without running code. */
  readonly tellsVariables: boolean;
  /**
   * Keeps the kernel from making room for others until the hold is disposed of: for a call that queues its cells one by
   * one, each of which needs the variables of those before it. While work holds the session, cells that come later and are
   * no part of it wait.
   */
  hold(work?: Execution | null): SessionHold;
  watch(watcher: (move: Move) => void): () => void;
  /** Output between cells goes to the listener at once, and is not kept for the next result. */
  onBackground(listener: (text: string, name: StreamName) => void): () => void;
  /** Queues a cell; it runs when those before it are over. */
  run(cell: Cell | string, options?: SharedRunOptions): Execution;
  /** Ends the kernel when its turn comes; the next cell gets a fresh one. */
  reset(options?: SharedResetOptions): Execution;
  /** The states that can be restored, the oldest first; none where checkpoints are off. */
  checkpoints(): readonly Checkpoint[];
  /** Restores a state when its turn comes. */
  restore(target?: RestoreTarget, options?: SharedResetOptions): Execution;
  /** Interrupts the cell that runs and drops those that wait, but one; settles when that is done. */
  stop(except?: Execution): Promise<void>;
  /** Interrupts the cell that runs, and only that; settles when it has ended. */
  interrupt(): Promise<void>;
  /** Nothing while a cell runs, since Python can answer only between cells. */
  complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion>;
  inspect(code: string, cursor: number, signal?: AbortSignal): Promise<MimeBundle>;
  /** The variables, also while a cell runs. A session without a kernel has none, and starts none. */
  variables(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing>;
  /** Looks at the running cell, without disturbing it. */
  look(signal?: AbortSignal): Promise<ExecutionLook>;
}
