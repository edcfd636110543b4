import { displaysIn, type OutputPart, outputOf, placesIn } from "../../output/output-part.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import type { CellProgress } from "../../session/run-cells.ts";
import type { CellDetails } from "../definition/details.ts";

/** How far a cell has come. */
export interface CellState {
  readonly language: string;
  readonly execution: Execution;
  readonly progress: CellProgress;
  readonly startedAt: number | null;
  /** The output to show; by default all, or only its end while the cell runs. */
  readonly outputs?: readonly OutputPart[];
  /** Null before the end. */
  readonly result: ExecutionResult | null;
  readonly fullOutputPath: string | null;
  readonly fullOutput: string | null;
}

/** While it runs, only the end of the output is reported. */
const tailBytes = 8192;

export function cellDetails(state: CellState): CellDetails {
  const { execution, result, progress: status, outputs, ...rest } = state;
  const { code, title = null } = execution.cell;
  const shown = outputs ?? result?.parts ?? execution.lastParts(tailBytes);
  const common = {
    code,
    title,
    status,
    executionId: execution.id,
    ...rest,
    output: outputOf(shown),
    parts: displaysIn(shown).flatMap((display) => display.parts),
    places: placesIn(shown),
  };
  if (result === null) return { ...common, ...untold };
  const { executionCount, durationMs, stdinRequested, notices, error, failure } = result;
  const { totalLines, totalBytes, truncation } = result;
  return {
    ...common,
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
