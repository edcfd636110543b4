import type { KernelInfo } from "../../kernel/kernel.ts";
import type { CellError, CellStatus } from "../../session/cell/cell-verdict.ts";
import type { Ledger } from "../../session/ledger.ts";
import type { OutputDifference } from "./verify/comparable-outputs.ts";

/** The result of a run of a notebook. */
export interface NotebookRun {
  /** The status of the cell that ended the run; `ok` when none did. */
  readonly status: CellStatus;
  /** The file that was written; null when nothing was to be saved, or nothing could be. */
  readonly savedTo: string | null;
  /** All code cells, in order, also those that did not run. */
  readonly cells: readonly CellReport[];
  /** The cell that ended the run. */
  readonly failed: CellReport | null;
  /** The cell that ended the notebook with `sys.exit()`: no cell after it ran, and the run succeeded. */
  readonly exited: CellReport | null;
  /** The failure of Granary that ended the run, or why outputs are not saved. */
  readonly failure: RunFailure | null;
  /** The kernel that ran it, also after its end; null when no cell ran. */
  readonly kernel: KernelInfo | null;
  /** The state of Python's variables; null when no cell ran. */
  readonly ledger: Ledger | null;
  /** Sentences for people. */
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
  /** `skipped`: it was not meant to run. `not-run`: the run ended before it. */
  readonly status: CellStatus | "skipped" | "not-run";
  /** Why it was skipped; null when it was not. */
  readonly whySkipped: string | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  readonly error: CellError | null;
  /** Whether its outputs differ from before, apart from times and addresses; null when it did not run. */
  readonly outputsChanged: boolean | null;
  /** The first line that differs, if any. */
  readonly difference: OutputDifference | null;
  /**
   * `edited`, `gone`: another program changed the notebook during the run, so the outputs do not belong there. `unsaved`: the
   * file could not be written.
   */
  readonly stored: "stored" | "unsaved" | "edited" | "gone" | null;
}

/** The events for a watcher. */
export type NotebookProgress =
  /** Why the next cell waits: all allowed kernels are in use. Null when it has begun. */
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
