import { randomUUID } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { NotebookProgress, NotebookRun } from "../execute/notebook/notebook-run.ts";
import { type NotebookOutcome, type NotebooksRun, runEachNotebook, usualJobs } from "../execute/run-each-notebook.ts";
import { type RunNotebookOptions, runNotebook } from "../execute/run-notebook.ts";
import { checkList, checkTimeLimit } from "../support/check-argument.ts";
import { checkOptions } from "./options/check-options.ts";
import { createRuntime, type Runtime } from "./runtime.ts";

type SharedOptions = Pick<
  RunNotebookOptions,
  "timeoutMs" | "allowErrors" | "parameters" | "recordTimes" | "maxCellMegabytes" | "signal"
>;

export interface RunNotebooksOptions extends SharedOptions {
  /** How many at the same time: by default one for each core, at most 8, and no more than the runtime allows. */
  readonly jobs?: number | undefined;
  /** The working folder of all kernels, instead of each notebook's own. */
  readonly cwd?: string | undefined;
  /** The runtime for the sessions; without it, the notebooks get their own. */
  readonly runtime?: Runtime | undefined;
  /** Another file for the result of each; null to save nothing. */
  readonly saveTo?: ((path: string) => string | null) | undefined;
  readonly onProgress?: ((path: string, progress: NotebookProgress) => void) | undefined;
  /** Called when a notebook is over. */
  readonly onNotebook?: ((outcome: NotebookOutcome) => void) | undefined;
}

/**
 * Runs notebooks in parallel, each in a session and kernel of its own, which end with it. A notebook that fails, or
 * cannot be read, does not stop the others.
 *
 * @example
 * const { status, notebooks } = await runNotebooks(["a.ipynb", "b.ipynb"], { jobs: 2 });
 */
export async function runNotebooks(paths: readonly string[], options: RunNotebooksOptions = {}): Promise<NotebooksRun> {
  checkList(paths, "paths", "paths of notebooks");
  checkTimeLimit(options.timeoutMs);
  await checkOptions("runNotebooks", options);
  if (options.runtime !== undefined) return runIn(options.runtime, paths, options);
  const jobs = options.jobs ?? usualJobs();
  const settings = { python: { maxSessions: Math.max(jobs, 1), kernelMode: "session", crashRetry: "never" } } as const;
  await using runtime = await createRuntime({
    cwd: options.cwd,
    settings,
    startsOneKernel: true,
    endsWithItsCells: true,
  });
  return await runIn(runtime, paths, { ...options, jobs });
}

function runIn(runtime: Runtime, paths: readonly string[], options: RunNotebooksOptions): Promise<NotebooksRun> {
  const { jobs = Math.min(usualJobs(), runtime.settings.python.maxSessions), signal, onNotebook } = options;
  return runEachNotebook(paths, {
    jobs,
    signal,
    run: (path) => runOne(runtime, resolve(path), path, options),
    onEnd: onNotebook && ((outcome) => onNotebook(outcome)),
  });
}

async function runOne(
  runtime: Runtime,
  file: string,
  path: string,
  { cwd = dirname(file), saveTo, onProgress, ...options }: RunNotebooksOptions,
): Promise<NotebookRun> {
  await using session = runtime.session(`notebook-${randomUUID()}`, { cwd, isTemporary: true });
  const { timeoutMs, allowErrors, parameters, recordTimes, signal } = options;
  return await runNotebook(session, file, {
    timeoutMs,
    allowErrors,
    parameters,
    recordTimes,
    signal,
    maxCellMegabytes: options.maxCellMegabytes ?? runtime.settings.notebook.maxCellMegabytes,
    saveTo: saveTo?.(path),
    onProgress: onProgress && ((progress) => onProgress(path, progress)),
  });
}
