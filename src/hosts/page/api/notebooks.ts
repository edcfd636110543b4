import type { CellHead, PageOutput } from "./cells.ts";
import type { SessionEvent } from "./events.ts";

/** The notebooks below the folder of a session: the answer of `GET /page/api/sessions/:session/notebooks`. */
export interface NotebookListing {
  readonly notebooks: readonly {
    /** From the session's folder. */
    readonly path: string;
    readonly bytes: number;
    /** In milliseconds since the epoch. */
    readonly modifiedAt: number;
  }[];
  /** Whether the search ended early: the folder has too many files. */
  readonly isCut: boolean;
}

export interface PageNotebookCell {
  /** Stays the same while the cell moves or changes. */
  readonly key: string;
  readonly type: "code" | "markdown" | "raw" | "unknown";
  readonly source: string;
  /** Of type and source. An edit names the revision that it was made from. */
  readonly revision: string;
  readonly count: number | null;
  readonly outputs: readonly PageOutput[];
  /** Pictures of Markdown, by their names, as `data:` addresses. */
  readonly attachments: Readonly<Record<string, string>>;
}

/** A cell that runs, or is going to: for the page, or for another client of the hub. */
export interface NotebookCellRun {
  readonly key: string;
  /** The name of the client. */
  readonly by: string;
  readonly state: "queued" | "running";
  /** In milliseconds since the epoch. */
  readonly startedAt: number | null;
  readonly question: CellHead["question"];
}

/** The events of `GET /page/api/sessions/:session/notebook/events`: a snapshot, then changes to it. */
export type NotebookEvent =
  | {
      readonly type: "notebook";
      readonly session: { readonly name: string; readonly folder: string };
      readonly cells: readonly PageNotebookCell[];
    }
  /** The keys of all cells in order, and the cells that are new or changed. `by`: the browser tab whose edit it was. */
  | {
      readonly type: "change";
      readonly order: readonly string[];
      readonly cells: readonly PageNotebookCell[];
      readonly by: string | null;
    }
  /** The file is not there, or another program has not finished writing it. The cells stay. */
  | { readonly type: "file"; readonly state: "there" | "deleted" | "unreadable"; readonly message: string }
  | { readonly type: "runs"; readonly runs: readonly NotebookCellRun[] }
  /** A sentence about a run that ended. */
  | { readonly type: "message"; readonly text: string }
  /** Output of a running cell, which has the key as its id. */
  | Extract<SessionEvent, { readonly type: "text" | "output" | "clear" }>;

/** The body of `POST /page/api/sessions/:session/notebook/edit`, besides the path and the tab. Cells are named by their keys. */
export type PageNotebookEdit =
  /** `after`: the place of the cell if another program has deleted it. */
  | {
      readonly action: "edit";
      readonly cell: string;
      readonly revision: string;
      readonly content: string;
      readonly cellType: "code" | "markdown" | "raw";
      readonly after: string | null;
    }
  | {
      readonly action: "insert";
      readonly after: string | null;
      readonly content: string;
      readonly cellType: "code" | "markdown" | "raw";
    }
  | { readonly action: "delete"; readonly cell: string; readonly revision: string }
  /** A cell that the page has deleted, with its outputs and all else that it had. */
  | { readonly action: "put-back"; readonly cell: string; readonly after: string | null }
  | { readonly action: "move"; readonly cell: string; readonly after: string | null }
  | {
      readonly action: "type";
      readonly cell: string;
      readonly revision: string;
      readonly cellType: "code" | "markdown" | "raw";
    }
  | { readonly action: "clear"; readonly cell?: string }
  /** Of two versions of a cell, one becomes the cell, and the other is deleted. */
  | {
      readonly action: "resolve";
      readonly mine: { readonly cell: string; readonly revision: string };
      readonly theirs: { readonly cell: string; readonly revision: string };
      readonly keep: "mine" | "theirs";
    };

export interface PageEditResult {
  /** The cell that has the edit; null when it is gone, or for all cells. */
  readonly cell: string | null;
  readonly revision: string | null;
  /**
   * Set when another program changed or deleted the cell since: its version stays as `theirs`, and the edit is in a
   * cell of its own below.
   */
  readonly conflict: { readonly theirs: string | null } | null;
}
