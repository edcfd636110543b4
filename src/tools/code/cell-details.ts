import type { CellProgress } from "../../execute/run-cells.ts";
import type { ShownPart } from "../../output/capture.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import type { CellDetails } from "../definition/details.ts";

/** How far a cell has come. */
export interface CellState {
  readonly language: string;
  readonly execution: Execution;
  readonly progress: CellProgress;
  readonly startedAt: number | null;
  /** What it has shown so far, besides text. */
  readonly parts: readonly ShownPart[];
  /** Null before the end. */
  readonly result: ExecutionResult | null;
  readonly fullOutputPath: string | null;
  readonly fullOutput: string | null;
}

/** While it runs, only the last of the output is told. */
const tailBytes = 8192;

export function cellDetails(state: CellState): CellDetails {
  const { execution, result, parts, progress: status, ...rest } = state;
  const { code, title = null } = execution.cell;
  const common = { code, title, status, executionId: execution.id, ...rest };
  if (result === null) return { ...common, ...untold, output: execution.tail(tailBytes), parts };
  const { output, displays, executionCount, durationMs, stdinRequested, notices, error, failure } = result;
  const { totalLines, totalBytes, truncation } = result;
  return {
    ...common,
    output,
    parts: displays.flatMap((display) => display.parts),
    executionCount,
    durationMs,
    error: error ?? (failure && { name: failure.code, message: failure.message }),
    totalLines,
    totalBytes,
    truncation,
    stdinRequested,
    notices,
  };
}

const untold = {
  durationMs: null,
  executionCount: null,
  error: null,
  totalLines: null,
  totalBytes: null,
  truncation: null,
  stdinRequested: false,
  notices: [],
} as const;
