import { findArtifact } from "../output/artifacts/read/find-artifact.ts";
import { asCell } from "../session/cell/cell-queue.ts";
import { exitStatusOf } from "../session/cell/exit-status.ts";
import type { Execution, ExecutionResult } from "../session/execution/execution.ts";
import { checkTimeLimit } from "../support/check-argument.ts";
import { checkOptions } from "./options/check-options.ts";
import { createRuntime, type Runtime } from "./runtime.ts";

export interface ExecutePythonOptions {
  readonly cwd?: string | undefined;
  /** Counted from the moment the code begins; `python.timeoutSeconds` by default, Infinity for none. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the output as it comes, as plain text without the cursor movements of progress bars. Follow an execution
   * for those: its events have the movements between the texts.
   */
  readonly onChunk?: ((text: string) => void) | undefined;
  /** Keeps variables from call to call; without it, every call has a kernel of its own. */
  readonly runtime?: Runtime | undefined;
  readonly session?: string | undefined;
  readonly reset?: boolean | undefined;
}

/** In the shape of a shell command's result. */
export interface PythonResult {
  readonly output: string;
  /** 0 when the code succeeded, 1 when it raised, or the status of `sys.exit()`; undefined when it was stopped or did not run. */
  readonly exitCode: number | undefined;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  /** Counts the whole output, also the part that `output` leaves out. */
  readonly totalLines: number;
  readonly totalBytes: number;
  /** `artifact://…`, when the output was too long. */
  readonly artifact: string | undefined;
  /** The file with the whole output then. */
  readonly fullOutputPath: string | undefined;
  readonly stdinRequested: boolean;
  /** The full result. */
  readonly details: ExecutionResult;
}

/**
 * Runs Python like a shell command.
 *
 * @example
 * const { output, exitCode } = await executePython("print(6 * 7)", { timeoutMs: 30_000 });
 */
export async function executePython(code: string, options: ExecutePythonOptions = {}): Promise<PythonResult> {
  asCell(code);
  checkTimeLimit(options.timeoutMs);
  await checkOptions("executePython", options);
  if (options.runtime !== undefined) return execute(options.runtime, code, options);
  await using runtime = await createRuntime({ cwd: options.cwd, startsOneKernel: true, endsWithItsCells: true });
  return await execute(runtime, code, options);
}

async function execute(runtime: Runtime, code: string, options: ExecutePythonOptions): Promise<PythonResult> {
  const { cwd, signal, onChunk, session, reset } = options;
  const { timeoutMs = runtime.settings.python.timeoutSeconds * 1000 } = options;
  const execution = runtime.session(session, { cwd }).run(code, { signal, timeoutMs, reset });
  if (onChunk !== undefined) await handOn(execution, onChunk);
  const details = await execution.result;
  const artifact = details.truncation?.artifact ?? null;
  const file = artifact === null ? null : await findArtifact(runtime.artifactRoot, artifact).catch(() => null);
  return shapedLikeBash(details, file?.path);
}

async function handOn(execution: Execution, onChunk: (text: string) => void): Promise<void> {
  try {
    for await (const event of execution) if (event.type === "text" || event.type === "block") onChunk(event.text);
  } catch (error) {
    // The caller no longer waits for the code, so it must not keep running.
    await execution.interrupt();
    throw error;
  }
}

function shapedLikeBash(details: ExecutionResult, fullOutputPath: string | undefined): PythonResult {
  const { output, cancelled, totalLines, totalBytes, truncation, stdinRequested, failure } = details;
  return {
    output: failure === null ? output : `${output}${failure.message}\n`,
    exitCode: exitCodeOf(details),
    cancelled,
    truncated: truncation !== null,
    totalLines,
    totalBytes,
    artifact: truncation?.artifact ?? undefined,
    fullOutputPath,
    stdinRequested,
    details,
  };
}

function exitCodeOf({ status, error }: ExecutionResult): number | undefined {
  if (status === "ok") return 0;
  if (status !== "error") return undefined;
  return (error && exitStatusOf(error)) ?? 1;
}
