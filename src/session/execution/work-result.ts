import type { Captured } from "../../output/capture.ts";
import type { ExecutionResult } from "./execution.ts";
import { neverRan } from "./not-run.ts";

type Told = Pick<ExecutionResult, "status" | "error" | "failure" | "durationMs" | "notices">;

/** The result of work that is no cell, such as a command or a whole notebook. */
export function workResult(captured: Captured, told: Partial<Told> & Pick<Told, "status">): ExecutionResult {
  return {
    ...captured,
    ...neverRan,
    notices: [],
    ...told,
    cancelled: told.status === "cancelled" || told.status === "timeout",
    attempts: 1,
    background: "",
    ledger: { generation: 0, state: "alive", reason: null },
  };
}
