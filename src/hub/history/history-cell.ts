import type { NotebookOutput } from "../../notebook/output.ts";
import type { OutputPart } from "../../output/output-part.ts";
import type { LineMove } from "../../session/checkpoints/cell-line.ts";
import type { Execution, ExecutionResult, ExecutionStatus } from "../../session/execution/execution.ts";
import type { Failure } from "../../session/failure.ts";

/** A cell of a session's history. */
export interface HistoryCell {
  /** The id of its execution. */
  readonly id: string;
  /** The client that ran it. */
  readonly by: string;
  /** When it ended, as ISO 8601. */
  readonly at: string;
  readonly code: string;
  readonly title?: string | undefined;
  readonly status: ExecutionStatus;
  readonly durationMs: number;
  readonly executionCount: number | null;
  /** Which kernel of the session ran it. */
  readonly generation: number;
  /** Why its effects are not in the variables; missing where they are. */
  readonly undone?: LineMove | undefined;
  /** Why Granary or Python could not finish it; missing where they did. */
  readonly failure?: Omit<Failure, "cause"> | undefined;
  /** Within the budget of a result; larger pictures are left out. */
  readonly outputs: readonly NotebookOutput[];
}

const largestPicture = 400_000;

/** @param recorded the outputs as the kernel sent them */
export function historyCell(
  { id, by, cell }: Execution,
  result: ExecutionResult,
  recorded: readonly NotebookOutput[],
): HistoryCell {
  const { status, durationMs, executionCount, ledger, parts, error, failure, truncation } = result;
  // A result has both ends of long text, and names the artifact with all of it.
  const outputs = truncation === null ? recorded : parts.flatMap((part) => outputsOf(part, error?.message ?? ""));
  return {
    id,
    by: by ?? "granary",
    at: new Date().toISOString(),
    code: cell.code,
    title: cell.title,
    status,
    durationMs: Math.round(durationMs),
    executionCount,
    generation: ledger.generation,
    // Without a checkpoint, the others went with the kernel; this one would end the next kernel as well.
    ...(failure?.code === "kernel-died" && { undone: "crash" as const }),
    ...(failure !== null && { failure: { code: failure.code, message: failure.message } }),
    outputs,
  };
}

function outputsOf(part: OutputPart, message: string): readonly NotebookOutput[] {
  if (part.type === "text") return [printed(part.text)];
  if (part.type === "error") {
    return [{ output_type: "error", ename: part.name, evalue: message, traceback: part.text.split("\n") }];
  }
  const pictures = part.display.parts.filter((shown) => shown.type === "image");
  const small = pictures.filter(({ base64 }) => base64.length <= largestPicture);
  const text = part.text === "" ? [] : [printed(part.text)];
  return [
    ...(small.length > 0 ? [] : text),
    ...small.map(
      ({ mimeType, base64 }): NotebookOutput => ({
        output_type: "display_data",
        data: { [mimeType]: base64, "text/plain": part.text.trim() },
        metadata: {},
      }),
    ),
  ];
}

function printed(text: string): NotebookOutput {
  return { output_type: "stream", name: "stdout", text };
}
