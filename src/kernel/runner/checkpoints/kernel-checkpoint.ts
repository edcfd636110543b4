import type { Kernel, StartOptions } from "../../kernel.ts";

/** A sleeping copy of a kernel, made between two cells. Any number of kernels with that state can be made out of it. */
export interface KernelCheckpoint {
  readonly pid: number;
  /** How many cells the kernel had counted. */
  readonly count: number;
  /** The CPU time that the kernel spent on the fork. */
  readonly forkMs: number;
  /** Settles when it is gone, for any reason. */
  readonly ended: Promise<void>;
  restore(options: RestoreOptions): Promise<Kernel>;
  /** Ends it; kernels made out of it continue. */
  drop(): void;
}

export interface RestoreOptions extends Pick<StartOptions, "onHostCall"> {
  /** Whether the kernel that it was copied from has ended, so that its temporary files are the new one's. */
  readonly isAlone: boolean;
  readonly signal: AbortSignal;
}

export type CheckpointAnswer = KernelCheckpoint | { readonly whyNot: string };

/** How a kernel makes checkpoints of itself. */
export interface Checkpointing {
  /** To be awaited before `take`, and before `onCheckpoint` of a cell. */
  ready(): Promise<void>;
  /** A checkpoint now. The kernel must be idle. */
  take(): Promise<CheckpointAnswer>;
  /** The processes of all copies so far; null while one may be there that is not known yet. */
  pids(): ReadonlySet<number> | null;
}
