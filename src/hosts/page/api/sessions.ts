/** A session in the list. */
export interface PageSession {
  /** In addresses: a name may contain anything. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly state: "idle" | "busy" | "starting" | "without a kernel";
  readonly kernel: {
    readonly backend: string;
    readonly version: string;
    readonly executable: string;
    readonly pid: number | null;
    readonly memoryBytes: number;
  } | null;
  /** As in `workspace (bubblewrap)`; null for none. */
  readonly sandbox: string | null;
  /** The running cell, then the waiting ones. */
  readonly work: readonly {
    readonly id: string;
    readonly by: string | null;
    readonly firstLine: string;
    readonly startedAt: number | null;
  }[];
  /** The names of the clients that use it now. */
  readonly clients: readonly string[];
  readonly cells: number;
  readonly lastCell: string | null;
  /** In milliseconds since the epoch. */
  readonly lastUse: number;
}
