import type { Desk } from "./agent-context.ts";

/** Everything that one user of a server shares between its connections: a runtime with its kernels, and desks at it. */
export interface Workplace {
  openDesk(choice: DeskChoice): Promise<Desk>;
  /** Ends every kernel. */
  close(): Promise<void>;
}

export interface DeskChoice {
  /** The Python session of calls that name none. */
  readonly session: string;
  /** Who holds the sessions that are used at this desk. */
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}
