import type { MimeBundle } from "../../../kernel/events.ts";
import type { KernelState } from "../../../kernel/kernel.ts";
import type { OutputTruncation } from "../../../output/capture.ts";
import type { CellError } from "../../../session/cell/cell-verdict.ts";
import type { ExecutionStatus } from "../../../session/execution/execution.ts";
import type { Ledger } from "../../../session/ledger.ts";
import type { SavedPicture } from "../terminal/save-picture.ts";

/** The one document that `granary run --json` prints. */
export interface JsonDocument {
  /** The status of the last cell that ran; `failed` also when none could run. */
  readonly status: ExecutionStatus;
  /** A failure of Granary, as opposed to an exception in Python. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cells: readonly JsonCell[];
  /** Output of threads and child processes while no cell was running. */
  readonly background: string;
  /** The status of `sys.exit()`, which is also the command's exit code; null without a call, or a call without a status. */
  readonly exitStatus: number | null;
  /** Names of the threads that kept the run from ending until it timed out or was interrupted. */
  readonly unfinishedThreads: readonly string[];
  /** Null when no kernel was started. */
  readonly kernel: JsonKernel | null;
}

export interface JsonCell {
  readonly status: ExecutionStatus;
  /** All text in order, within the budget: streams, displays, the result, the traceback. */
  readonly output: string;
  readonly displays: readonly JsonDisplay[];
  /** The exception that Python raised; the middle of a very long message or traceback is left out. */
  readonly error: CellError | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  /** True when the cell asked for input: a program cannot answer, so the cell failed. */
  readonly stdinRequested: boolean;
  /** How much of the output is left out, and the artifact with all of it; null when nothing is left out. */
  readonly truncation: OutputTruncation | null;
  /** The state of Python's variables. */
  readonly ledger: Ledger;
  /** Sentences about the cell, beyond its output. */
  readonly notices: readonly string[];
}

export interface JsonDisplay {
  /** `result` is the value of the cell's last expression. */
  readonly type: "display" | "result";
  /** Without the saved pictures, and without values that are very long. */
  readonly data: MimeBundle;
  readonly metadata: MimeBundle;
  readonly pictures: readonly SavedPicture[];
  /** The MIME types whose values were too long. */
  readonly leftOut: readonly string[];
}

interface JsonKernel {
  readonly backend: string;
  /** The version, such as `3.12.1`. */
  readonly python: string;
  readonly executable: string;
  /** Numbers the kernels of a session: variables do not survive from one to the next. */
  readonly generation: number;
  readonly state: KernelState;
}

/** @param last the ledger of the last cell that ran, which did not succeed */
export function skippedCell({ generation, state, reason }: Ledger): JsonCell {
  return {
    status: "skipped",
    output: "",
    displays: [],
    error: null,
    executionCount: null,
    durationMs: 0,
    stdinRequested: false,
    truncation: null,
    // A skipped cell changes nothing: lost variables stay lost, and the last cell has reported everything else.
    ledger: state === "lost" ? { generation, state, reason } : { generation, state: "alive", reason: null },
    notices: [],
  };
}
