import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { sayTimeLimit } from "../../support/say-count.ts";
import { askShell, captureMark } from "./ask-shell.ts";
import { readPortrait } from "./portrait.ts";
import { isFresh, recentFailure, removeOldSnapshots, writeFailure, writeSnapshot } from "./snapshot-file.ts";
import { snapshotParts } from "./snapshot-parts.ts";
import { type SnapshotContext, shellContext, snapshotPath } from "./snapshot-path.ts";
import { sourceableParts } from "./sourceable-parts.ts";

export interface ShellSnapshotOptions extends SnapshotContext {
  /** Ends the capture and every process that it started. */
  readonly signal: AbortSignal;
  readonly withinMs?: number;
}

export interface ShellSnapshot {
  /** The snapshot's path; usable as soon as the file exists. */
  readonly path: string;
  /** Never rejects: without a snapshot, commands run with the login profile. */
  readonly ready: Promise<SnapshotOutcome>;
}

type SnapshotOutcome =
  | { readonly made: "now" | "before"; readonly problem: null }
  | { readonly made: null; readonly problem: string };

/**
 * A bash script with the functions, aliases, options and PATH of the user's interactive shell, so that a command finds
 * the same programs as the user. It is made once, in the background, and again when an rc file, PATH or the filter changes.
 */
export function shellSnapshot(options: ShellSnapshotOptions): ShellSnapshot {
  const path = snapshotPath(options);
  return { path, ready: madeOrReused(path, options) };
}

async function madeOrReused(path: string, options: ShellSnapshotOptions): Promise<SnapshotOutcome> {
  const { withinMs = 5_000 } = options;
  // Not AbortSignal.timeout: inside AbortSignal.any, Node 20's garbage collector may collect it before it fires.
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(tookTooLong(withinMs)), withinMs);
  try {
    if (await isFresh(path)) return { made: "before", problem: null };
    const failure = await recentFailure(path);
    if (failure !== null) return { made: null, problem: failure };
    await make(path, options, AbortSignal.any([options.signal, timeUp.signal]));
    return { made: "now", problem: null };
  } catch (error) {
    const problem = problemOf(error, options.signal);
    const isTheShells = isGranaryError(error, "no-snapshot") && !options.signal.aborted;
    if (isTheShells) await writeFailure(path, problem).catch(() => undefined);
    return { made: null, problem };
  } finally {
    clearTimeout(timer);
  }
}

async function make(path: string, options: ShellSnapshotOptions, signal: AbortSignal): Promise<void> {
  const { env, filter, sandbox } = options;
  const launcher = sandbox?.launcher;
  // An rc file that runs Granary would otherwise capture itself without end.
  if (env[captureMark] !== undefined)
    throw new GranaryError("no-snapshot", "Granary was started by an rc file that is being captured.");
  const portrait = readPortrait(await askShell({ ...shellContext(options), launcher, signal }));
  await writeSnapshot(path, await sourceableParts(snapshotParts(portrait, env, filter), { env, launcher, signal }));
  await removeOldSnapshots(path);
}

function problemOf(error: unknown, cancelled: AbortSignal): string {
  if (cancelled.aborted) return "The capture of the user's shell was cancelled.";
  if (isGranaryError(error, "no-snapshot")) return error.message;
  return `The snapshot of the user's shell could not be written: ${(error as Error).message}.`;
}

function tookTooLong(withinMs: number): GranaryError {
  return new GranaryError("no-snapshot", `The rc files of the user's shell timed out after ${sayTimeLimit(withinMs)}.`);
}
