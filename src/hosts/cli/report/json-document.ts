import type { MimeBundle } from "../../../kernel/events.ts";
import type { KernelState } from "../../../kernel/kernel.ts";
import type { OutputTruncation } from "../../../output/capture.ts";
import type { CellError } from "../../../session/cell/cell-verdict.ts";
import type { ExecutionStatus } from "../../../session/execution/execution.ts";
import type { Ledger } from "../../../session/ledger.ts";
import type { SavedPicture } from "../terminal/save-picture.ts";

/** The one document that `granary run --json` prints. */
export interface JsonDocument {
  /** That of the last cell that ran; `failed` also when none could run. */
  readonly status: ExecutionStatus;
  /** What Granary failed at, as opposed to what Python raised. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cells: readonly JsonCell[];
  /** What threads and child processes printed while no cell was running. */
  readonly background: string;
  /** The status that the code asked for with `sys.exit()`, and the command ends with; null if it did not, or with none. */
  readonly exitStatus: number | null;
  /** The threads that kept the run from ending until it timed out or was interrupted, by name. */
  readonly unfinishedThreads: readonly string[];
  /** Null when none was started. */
  readonly kernel: JsonKernel | null;
}

export interface JsonCell {
  readonly status: ExecutionStatus;
  /** All text in order, within the budget: streams, what was displayed, the result, the traceback. */
  readonly output: string;
  readonly displays: readonly JsonDisplay[];
  /** What Python raised; the middle of a very long message or traceback is left out. */
  readonly error: CellError | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  /** True when the cell asked for input: nobody answers a program's run, so it failed. */
  readonly stdinRequested: boolean;
  /** How much of the output is left out, and the address of all of it; null when it is all there. */
  readonly truncation: OutputTruncation | null;
  /** What became of Python's variables. */
  readonly ledger: Ledger;
  /** What one should know besides the output: sentences. */
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
  /** Counts the kernels of a session: variables do not survive from one to the next. */
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
    // It has changed nothing: what the last one has lost stays lost, and anything else was told with that one.
    ledger: state === "lost" ? { generation, state, reason } : { generation, state: "alive", reason: null },
    notices: [],
  };
}
