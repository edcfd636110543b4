import type { KernelInfo } from "../../kernel/kernel.ts";
import type { CellError, CellStatus } from "../../session/cell/cell-verdict.ts";
import type { Ledger } from "../../session/ledger.ts";
import type { OutputDifference } from "./verify/comparable-outputs.ts";

/** How a run of a notebook went. */
export interface NotebookRun {
  /** That of the cell that ended the run; `ok` when none did. */
  readonly status: CellStatus;
  /** The file that was written; null when nothing was to be saved, or nothing could be. */
  readonly savedTo: string | null;
  /** All code cells, in order, whether they ran or not. */
  readonly cells: readonly CellReport[];
  /** The one that ended the run. */
  readonly failed: CellReport | null;
  /** The one that left the notebook with `sys.exit()`: no cell after it was run, and the run went well. */
  readonly exited: CellReport | null;
  /** What Granary failed at, if that is what ended the run, or why outputs are not saved. */
  readonly failure: RunFailure | null;
  /** The kernel that ran it, also when it is gone by now; null when no cell ran. */
  readonly kernel: KernelInfo | null;
  /** What became of Python's state; null when no cell ran. */
  readonly ledger: Ledger | null;
  /** What a person should know besides: sentences. */
  readonly notices: readonly string[];
}

export interface RunFailure {
  readonly code: string;
  readonly message: string;
}

export interface CellReport {
  /** Counted from 0, in the notebook as it was when the run began. */
  readonly index: number;
  readonly id: string | null;
  readonly source: string;
  /** `skipped`: it was not to be run. `not-run`: the run ended before it. */
  readonly status: CellStatus | "skipped" | "not-run";
  /** Why it was skipped; null when it was not. */
  readonly whySkipped: string | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  readonly error: CellError | null;
  /** Whether it shows something else than before, apart from times and addresses; null when it did not run. */
  readonly outputsChanged: boolean | null;
  /** The first line that is another, if there is one. */
  readonly difference: OutputDifference | null;
  /**
   * `edited`, `gone`: somebody changed the notebook meanwhile, and the outputs no longer belong there. `unsaved`: the
   * file could not be written.
   */
  readonly stored: "stored" | "unsaved" | "edited" | "gone" | null;
}

/** What whoever watches is told. */
export type NotebookProgress =
  /** Why the cell that was about to begin waits: all kernels that there may be are in use. Null when it has begun. */
  | { readonly type: "waiting"; readonly reason: string | null }
  | { readonly type: "cell-begins"; readonly cell: CellReport; readonly number: number; readonly of: number }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "cell-ends"; readonly cell: CellReport; readonly number: number; readonly of: number };

export function reportOf(cell: Pick<CellReport, "index" | "id" | "source">): CellReport {
  return {
    index: cell.index,
    id: cell.id,
    source: cell.source,
    status: "not-run",
    whySkipped: null,
    executionCount: null,
    durationMs: 0,
    error: null,
    outputsChanged: null,
    difference: null,
    stored: null,
  };
}
