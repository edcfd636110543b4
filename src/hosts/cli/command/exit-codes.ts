import type { ExecutionStatus } from "../../../session/execution/execution.ts";
import type { GranaryErrorCode } from "../../../support/error-codes.ts";

/** Exit codes for the shell. A run stopped by a signal ends with 128 + the signal's number instead of 130. */
export const exitCodes: Record<ExecutionStatus | "usage", number> = {
  ok: 0,
  error: 1,
  skipped: 1,
  usage: 2,
  failed: 3,
  timeout: 124,
  cancelled: 130,
};

/** Errors in the request, rather than in a file, Python or the machine. */
const usageCodes: ReadonlySet<string> = new Set<GranaryErrorCode>([
  "usage",
  "settings",
  "not-an-address",
  "search-too-slow",
  "missing-file",
  "invalid-action",
  "index-out-of-range",
  "unknown-id",
  "missing-content",
  "text-not-found",
  "text-ambiguous",
  "cannot-split",
  "cannot-merge",
  "not-a-code-cell",
  "invalid-cell-text",
  "invalid-selector",
  "no-path",
  "invalid-jobs",
  "invalid-parameter",
  "not-python",
  "same-notebook",
  "exists",
  "no-such-file",
  "no-folder",
  "is-folder",
  "not-a-file",
  "invalid-argument",
  "unknown-session",
  "unknown-execution",
]);

export function exitCodeOfError(code: string): number {
  return usageCodes.has(code) ? exitCodes.usage : exitCodes.failed;
}
