import { nobodyAnswered } from "../../../session/cell/cell-verdict.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import { sayTimeLimit } from "../../../support/say-count.ts";
import { briefLine } from "./brief-error.ts";

export interface CellPlace {
  /** From 1, as people count. */
  readonly number: number;
  readonly of: number;
}

/** What a person should be told about a cell that did not succeed, beyond its own output. */
export function explainResult(result: ExecutionResult, place: CellPlace, timeoutMs: number): readonly string[] {
  const reason = explainReason(result, timeoutMs);
  const sentences: string[] = [];
  if (place.of > 1) sentences.push(`Cell ${place.number} of ${place.of} failed: ${reason}`);
  // An only cell's traceback has said what it raised.
  else if (result.status !== "error") sentences.push(reason);
  if (result.stdinRequested) sentences.push(nobodyAnswered);
  const hadToBeEnded = result.ledger.state === "lost" && result.status !== "failed";
  if (hadToBeEnded && result.ledger.reason !== null) sentences.push(result.ledger.reason);
  return sentences;
}

function explainReason({ status, error, failure }: ExecutionResult, timeoutMs: number): string {
  switch (status) {
    case "ok":
    case "skipped":
      return "";
    case "error":
      if (error === null) return "it raised an exception";
      return error.message === nobodyAnswered ? error.name : `${error.name}: ${briefLine(error.message)}`;
    case "timeout":
      return `Command timed out after ${sayTimeLimit(timeoutMs)}`;
    case "cancelled":
      return "Interrupted";
    case "failed":
      return failure?.message ?? "the kernel failed";
  }
}
