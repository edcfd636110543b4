import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { askShell, captureMark } from "./ask-shell.ts";
import { readPortrait } from "./portrait.ts";
import { rcFileStamps } from "./rc-files.ts";
import { shellKind } from "./shell-kind.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { isUsable, removeOldSnapshots, writeSnapshot } from "./snapshot-file.ts";
import { snapshotParts } from "./snapshot-parts.ts";
import { sourceableParts } from "./sourceable-parts.ts";

export interface ShellSnapshotOptions {
  /** Granary's own folder. */
  readonly home: string;
  /** What the user's shell is started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which of the variables that rc files export may be handed on. */
  readonly filter: (name: string) => boolean;
  /** Ends the capture, and every process it has started. */
  readonly signal: AbortSignal;
  /** The user's shell; otherwise the one that `SHELL` names, otherwise bash. */
  readonly shell?: string | undefined;
  /** Whether a terminal opens login shells here, as it does on macOS. */
  readonly login?: boolean;
  readonly withinMs?: number;
}

export interface ShellSnapshot {
  /** Where the snapshot is, or will be, or would be: it may be used as soon as the file exists. */
  readonly path: string;
  /** Never rejects: without a snapshot, commands run as they would have anyway. */
  readonly ready: Promise<SnapshotOutcome>;
}

type SnapshotOutcome =
  | { readonly made: "now" | "before"; readonly problem: null }
  | { readonly made: null; readonly problem: string };

/**
 * A bash script with the functions, aliases, options and PATH of the user's interactive shell, so that a command finds
 * what the user would find. It is made once, in the background, and made anew when an rc file or PATH changes.
 */
export function shellSnapshot(options: ShellSnapshotOptions): ShellSnapshot {
  const path = join(options.home, "shell", `snapshot-${fingerprint(surroundings(options))}.sh`);
  return { path, ready: madeOrReused(path, options) };
}

type Surroundings = ReturnType<typeof surroundings>;

function surroundings({
  env,
  shell = env.SHELL || "bash",
  login = process.platform === "darwin",
}: ShellSnapshotOptions) {
  return { shell, kind: shellKind(shell), login, userHome: env.HOME || homedir(), env };
}

/** The same for every process that would come to the same snapshot. */
function fingerprint({ shell, kind, login, userHome, env }: Surroundings): string {
  const snapshotFormat = 1;
  const seen = [snapshotFormat, shell, login, env.PATH ?? null, rcFileStamps(kind, userHome, env)];
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 16);
}

async function madeOrReused(path: string, options: ShellSnapshotOptions): Promise<SnapshotOutcome> {
  const { withinMs = 2_000 } = options;
  // Not AbortSignal.timeout: once inside of AbortSignal.any, Node 20's garbage collector may take it before it fires.
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(tookTooLong(withinMs)), withinMs);
  try {
    if (await isUsable(path, options.filter)) return { made: "before", problem: null };
    await make(path, options, AbortSignal.any([options.signal, timeUp.signal]));
    return { made: "now", problem: null };
  } catch (error) {
    return { made: null, problem: problemOf(error, options.signal) };
  } finally {
    clearTimeout(timer);
  }
}

async function make(path: string, options: ShellSnapshotOptions, signal: AbortSignal): Promise<void> {
  const { env, filter } = options;
  // An rc file that runs Granary would otherwise ask for itself without end.
  if (env[captureMark] !== undefined) throw new SnapshotError("This runs inside of an rc file that is being captured.");
  const portrait = readPortrait(await askShell({ ...surroundings(options), signal }));
  const { parts, exported, withheld } = snapshotParts(portrait, env, filter);
  await writeSnapshot(path, { parts: await sourceableParts(parts, { env, signal }), exported, withheld });
  await removeOldSnapshots(path);
}

function problemOf(error: unknown, cancelled: AbortSignal): string {
  if (cancelled.aborted) return "The capture of the user's shell was cancelled.";
  if (error instanceof SnapshotError) return error.message;
  return `The snapshot of the user's shell could not be written: ${(error as Error).message}.`;
}

function tookTooLong(withinMs: number): SnapshotError {
  return new SnapshotError(`The user's shell did not get through its rc files within ${withinMs / 1000} seconds.`);
}
