import { nothingCaptured } from "../../output/capture.ts";
import { failureOf } from "../failure.ts";
import { type Kernels, ledgerNotices, type SeenGeneration, takeStock } from "../ledger.ts";
import type { ExecutionResult, ExecutionStatus } from "./execution.ts";

interface Circumstances {
  readonly status: ExecutionStatus;
  readonly notices?: readonly string[] | undefined;
  /** The error that stopped it, if any. */
  readonly why?: unknown;
  /** Whether the session is: there is no next cell then. */
  readonly isClosed?: boolean | undefined;
  /** Whether the kernel was replaced for it. */
  readonly isFirst?: boolean | undefined;
}

/** The parts of a result for a cell that never began. */
export const neverRan = { error: null, failure: null, executionCount: null, durationMs: 0, stdinRequested: false };

/** The result of a cell that was refused or skipped or never had its turn. */
export function notRun(
  kernels: Kernels,
  seen: SeenGeneration,
  { status, notices = [], why, isClosed = false, isFirst = false }: Circumstances,
): ExecutionResult {
  const ledger = takeStock(kernels, seen, { isFirst, whyStopped: null });
  const failure = why === undefined ? null : failureOf(why);
  return {
    ...nothingCaptured,
    ...neverRan,
    status,
    cancelled: status === "cancelled",
    failure,
    attempts: 0,
    background: "",
    ledger,
    notices: [
      ...notices,
      ...ledgerNotices(ledger, seen, { isClosed, failure: failure?.message ?? null, lost: kernels.restored?.lost }),
    ],
  };
}
