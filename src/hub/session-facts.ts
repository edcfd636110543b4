import type { Checkpoint } from "../session/checkpoints/timeline.ts";

/** A session of the hub, as clients see it. */
export interface SessionFacts {
  readonly name: string;
  readonly folder: string;
  /** Null without a kernel. */
  readonly kernel: {
    readonly backend: string;
    readonly language: string;
    readonly version: string;
    readonly executable: string;
    readonly pid: number | null;
    readonly memoryBytes: number;
  } | null;
  /** The sandbox of its code, as in `workspace (bubblewrap)`; without a kernel only its mode. Null for none. */
  readonly sandbox: string | null;
  readonly generation: number;
  readonly state: "idle" | "busy" | "starting" | "without a kernel";
  /** The running cell, then the waiting ones. */
  readonly work: readonly WorkFacts[];
  /** The names of the clients that use it now. */
  readonly clients: readonly string[];
  /** How many cells have their effects in the variables: those of the history that are not marked. */
  readonly cells: number;
  /** The first line of the last of them; null without any. */
  readonly lastCell: string | null;
  /** When a cell last began or ended, in milliseconds since the epoch. */
  readonly lastUse: number;
  /** The states that can be restored, the oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

export interface WorkFacts {
  readonly id: string;
  readonly by: string | null;
  readonly firstLine: string;
  /** In milliseconds since the epoch; null while it waits. */
  readonly startedAt: number | null;
}

/** The hub itself. */
export interface HubFacts {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  readonly socket: string;
  readonly log: string;
  readonly clients: readonly { readonly name: string; readonly pid: number }[];
  readonly sessions: readonly SessionFacts[];
  /** Commands and notebooks that run, which are no cells. */
  readonly work: readonly (WorkFacts & { readonly session: string })[];
}
