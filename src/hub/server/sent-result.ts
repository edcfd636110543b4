import type { ExecutionResult } from "../../session/execution/execution.ts";

/** A result for the wire: the cause of a failure is an object of this process. */
export function sentResult(result: ExecutionResult): ExecutionResult {
  const { failure } = result;
  return failure === null ? result : { ...result, failure: { ...failure, cause: null } };
}
