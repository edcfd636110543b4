import type { CellHead, PageCell, PageOutput, TextOutput } from "./cells.ts";
import type { PageSession } from "./sessions.ts";

/** The events of `GET /page/api/events`. */
export interface SessionsEvent {
  readonly type: "sessions";
  readonly sessions: readonly PageSession[];
}

/** The events of `GET /page/api/sessions/:session/events`: a snapshot, then changes to it. */
export type SessionEvent =
  | {
      readonly type: "snapshot";
      readonly session: PageSession;
      /** The last cells, the oldest first. */
      readonly cells: readonly PageCell[];
      readonly hasEarlier: boolean;
      /** The reader was too slow for all changes since the last snapshot. */
      readonly hasGap: boolean;
    }
  | { readonly type: "session"; readonly session: PageSession }
  /** A new cell, or a change of one. */
  | { readonly type: "cell"; readonly cell: CellHead }
  /** Cells were undone, or are back. */
  | { readonly type: "undone"; readonly cells: readonly string[]; readonly undone: CellHead["undone"] }
  /** More text at that place among the outputs: after what is there, or as a new output. */
  | {
      readonly type: "text";
      readonly cell: string;
      readonly at: number;
      readonly stream: TextOutput["stream"];
      readonly text: string;
      /** So many characters before `text` were left out. */
      readonly skipped: number;
    }
  /** An output at that place, in the place of another where there is one. */
  | { readonly type: "output"; readonly cell: string; readonly at: number; readonly output: PageOutput }
  /** All outputs of the cell are gone. */
  | { readonly type: "clear"; readonly cell: string };
