import type { ExecutionStatus } from "../../session/execution.ts";

/** What the shell is told. A run stopped from outside ends with 128 + the signal's number instead of 130. */
export const exitCodes: Record<ExecutionStatus | "usage", number> = {
  ok: 0,
  error: 1,
  skipped: 1,
  usage: 2,
  failed: 3,
  timeout: 124,
  cancelled: 130,
};
