import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { CellStatus } from "../session/cell/cell-verdict.ts";
import { failureOf } from "../session/failure.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { NotebookRun, RunFailure } from "./notebook/notebook-run.ts";

/** The results of several notebooks. */
export interface NotebooksRun {
  /** The status of the first notebook in the list that did not succeed; `ok` when all did. */
  readonly status: CellStatus;
  /** One for each path, in the order of the paths. */
  readonly notebooks: readonly NotebookOutcome[];
}

export interface NotebookOutcome {
  /** As it was given. */
  readonly path: string;
  /** `cancelled` also when the run was stopped before this notebook began. */
  readonly status: CellStatus;
  /** Null when the notebook could not be run at all, or did not begin. */
  readonly run: NotebookRun | null;
  /** Why it could not run, or a failure of Granary; null after success, and when Python failed. */
  readonly failure: RunFailure | null;
  /** From its beginning to its end, including the start of its kernel. */
  readonly durationMs: number;
}

export interface RunEachOptions {
  /** How many at the same time. */
  readonly jobs: number;
  /** Aborting stops the running ones and the start of more. */
  readonly signal?: AbortSignal | undefined;
  run(path: string, index: number): Promise<NotebookRun>;
  /** Called when one is over. */
  readonly onEnd?: ((outcome: NotebookOutcome, index: number) => void) | undefined;
}

/** A Python with its libraries takes some hundred megabytes: a machine with many cores need not have the memory for all. */
const mostJobs = 8;

/** One for each core, but not too many. */
export function usualJobs(): number {
  return Math.min(availableParallelism(), mostJobs);
}

/** Runs notebooks in parallel, each in a kernel of its own; one that fails does not stop the others. */
export async function runEachNotebook(paths: readonly string[], options: RunEachOptions): Promise<NotebooksRun> {
  const { jobs, signal, onEnd } = options;
  if (!(Number.isInteger(jobs) && jobs > 0)) {
    throw new GranaryError("invalid-jobs", `jobs must be a whole number from 1 on; got ${jobs}.`);
  }
  await refuseTwins(paths);
  const outcomes: NotebookOutcome[] = [];
  const left = [...paths.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, path] = next;
      const outcome = signal?.aborted ? neverBegan(path) : await outcomeOf(path, () => options.run(path, index));
      outcomes[index] = outcome;
      onEnd?.(outcome, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, paths.length) }, work));
  return { status: outcomes.find(({ status }) => status !== "ok")?.status ?? "ok", notebooks: outcomes };
}

async function outcomeOf(path: string, run: () => Promise<NotebookRun>): Promise<NotebookOutcome> {
  const begun = performance.now();
  try {
    const result = await run();
    const { status, failure } = result;
    return { path, status, run: result, failure, durationMs: performance.now() - begun };
  } catch (error) {
    const { code, message } = failureOf(error);
    return { ...neverBegan(path), status: "failed", failure: { code, message }, durationMs: performance.now() - begun };
  }
}

function neverBegan(path: string): NotebookOutcome {
  return { path, status: "cancelled", run: null, failure: null, durationMs: 0 };
}

/** Two runs of one file would overwrite each other's outputs. */
async function refuseTwins(paths: readonly string[]): Promise<void> {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const real = await identityOfFile(path);
    const twin = seen.get(real);
    if (twin !== undefined) {
      const what = twin === path ? `${path} is in the list twice` : `${twin} and ${path} are the same file`;
      throw new GranaryError("same-notebook", `${what}. Name each notebook once.`);
    }
    seen.set(real, path);
  }
}

/** The same for all names of a file, also through links. */
async function identityOfFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? resolve(path) : `${found.dev} ${found.ino}`;
}
