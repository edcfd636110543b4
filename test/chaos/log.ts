/** One line of what happened in a chaos run, in order. The checks read nothing else. */
export type Entry =
  | Asked
  | Settled
  | Moved
  | Mark
  | Recovery
  | Counted
  | { readonly type: "fault"; readonly step: number; readonly fault: string; readonly session: string }
  | { readonly type: "crashed"; readonly step: number; readonly what: string };

/** A cell was handed to Granary. */
export interface Asked {
  readonly type: "asked";
  readonly step: number;
  readonly id: string;
  readonly session: string;
  readonly kind: CellKind;
  readonly hasTimeout: boolean;
  /** The whole output of a cell that succeeds, but for its last line, which has the trail; null for too much to show. */
  readonly expected: string | null;
  readonly leastBytes: number;
}

export type CellKind = "count" | "print" | "raise" | "nap" | "spin" | Stopped | "exit" | "child" | "thread" | "flood";
/** These end only when they are stopped. */
type Stopped = "endless" | "stubborn";

/** Granary's claim about a cell. */
export interface Settled {
  readonly type: "settled";
  readonly id: string;
  readonly status: string;
  readonly code: string | null;
  /** Null where the host does not say. */
  readonly attempts: number | null;
  readonly ledger: ClaimedState | null;
  readonly output: string;
  /** The size of the whole output; null where the host does not say. */
  readonly totalBytes: number | null;
  readonly error: string | null;
  /** How many times the events of the execution said that it is over; null where there are no events. */
  readonly overs: number | null;
}

export interface ClaimedState {
  readonly generation: number;
  readonly state: string;
}

/** A reset or an undo has changed the variables of a session, and reported the new state. */
export interface Moved {
  readonly type: "moved";
  readonly session: string;
  readonly ledger: ClaimedState;
}

/** The cell's own report, in a file that Granary does not know. */
export interface Mark {
  readonly type: "mark";
  readonly what: "begin" | "end";
  readonly id: string;
  readonly pid: number;
}

/** After a step, cells are tried until one succeeds. */
interface Recovery {
  readonly type: "recovery";
  readonly step: number;
  readonly session: string;
  readonly attempts: number;
  readonly works: boolean;
}

/** Everything is closed. */
export interface Counted {
  readonly type: "counted";
  readonly when: "start" | "end";
  readonly step: number;
  /** The commands of processes besides the host. */
  readonly processes: readonly string[];
  /** The targets of the host's descriptors. */
  readonly descriptors: readonly string[];
  /** Temporary files and locks, by path. */
  readonly files: readonly string[];
}
