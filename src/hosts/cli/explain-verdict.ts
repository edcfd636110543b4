import { nobodyAnswered, type Verdict } from "../../session/cell-verdict.ts";

export interface CellPlace {
  /** From 1, as people count. */
  readonly number: number;
  readonly of: number;
}

/** What a person should be told about a cell that did not succeed, beyond its own output. */
export function explainVerdict(verdict: Verdict, place: CellPlace, timeoutMs: number): readonly string[] {
  const reason = explainReason(verdict, timeoutMs);
  const sentences: string[] = [];
  if (place.of > 1) sentences.push(`Cell ${place.number} of ${place.of} failed: ${reason}`);
  // An only cell's traceback has said what it raised.
  else if (verdict.status !== "error") sentences.push(reason);
  if (verdict.stdinRequested) sentences.push(nobodyAnswered);
  const hadToBeEnded = verdict.kernelError !== null && verdict.status !== "failed";
  if (hadToBeEnded) sentences.push(verdict.kernelError.message);
  return sentences;
}

function explainReason({ status, error, kernelError }: Verdict, timeoutMs: number): string {
  switch (status) {
    case "ok":
      return "";
    case "error":
      if (error === null) return "it raised an exception";
      return error.message === nobodyAnswered ? error.name : `${error.name}: ${firstLine(error.message)}`;
    case "timeout":
      return `Command timed out after ${timeoutMs / 1000} seconds`;
    case "cancelled":
      return "Interrupted";
    case "failed":
      return kernelError?.message ?? "the kernel failed";
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
