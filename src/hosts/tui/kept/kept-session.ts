import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import type { StreamName } from "../../../kernel/events.ts";
import type { Execution } from "../../../session/execution/execution.ts";
import type { SharedSession } from "../../../session/shared-session.ts";

/** A session that outlives the console, and that others use at the same time. */
export interface KeptSession {
  /** Tells this console apart from other clients. */
  readonly owner: string;
  /** The living session to join; undefined to open one by its name. */
  readonly joins?: SharedSession | undefined;
  /** The cells of all clients so far, the oldest first. */
  history(session: SharedSession): Promise<readonly HistoryCell[]>;
  /** The running cell, then the waiting ones. */
  work(session: SharedSession): readonly Execution[];
  /** Reports every cell from now on, also this console's own; the returned function stops it. */
  onExecution(session: SharedSession, listener: (execution: Execution) => void): () => void;
  /** Output between cells, which the next result of another client has as well. */
  onBackground(session: SharedSession, listener: (text: string, name: StreamName) => void): () => void;
}
