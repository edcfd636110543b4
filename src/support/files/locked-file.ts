import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GranaryError, isGranaryError } from "../granary-error.ts";
import { sayTimeLimit } from "../say-count.ts";
import { inTurn } from "../turns.ts";
import { removeDrafts, siblingOf } from "./atomic-write.ts";
import { type HeldLock, takeLock } from "./file-lock.ts";
import { holdFile } from "./held-file.ts";

/** Longer than any file takes to read and write, and than an owner on another machine may be silent. */
const timeoutMs = 60_000;
/** Every user who may write the file must be able to read the lock's owner. */
const readableByAll = 0o644;

export interface LockedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Folders that the file must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
}

/**
 * Runs work that reads and replaces a file, exclusive among Granary's processes. The lock is a file beside it: every
 * name of the file leads to the same lock, and where no lock can be made, the file cannot be replaced either.
 * As that may not hold everywhere, the work then runs without a lock, so it has to compare before it replaces.
 */
export async function whileLocked<T>(
  path: string,
  { signal, within }: LockedOptions,
  work: () => Promise<T>,
): Promise<T> {
  await using held = await holdFile(path, within);
  const target = await targetOf(held.real);
  return await inTurn(target, async () => {
    const at = within ? held.at : target;
    const lock = await lockFor(path, at, signal);
    try {
      // No other process writes now, so a draft belongs to one that crashed.
      if (lock?.wasLeftBehind) await clearUp(at);
      return await work();
    } finally {
      await lock?.release();
    }
  });
}

async function clearUp(target: string): Promise<void> {
  await removeDrafts(target);
  const { finishWritesInPlace } = await import("./in-place-write.ts");
  await finishWritesInPlace(target);
}

/** Null where the system has no such files. */
async function lockFor(path: string, target: string, signal: AbortSignal | undefined): Promise<HeldLock | null> {
  try {
    return await takeLock(siblingOf(target, "lock"), { signal, timeoutMs, mode: readableByAll });
  } catch (error) {
    signal?.throwIfAborted();
    if (isGranaryError(error, "locked")) throw fileLocked(path, siblingOf(await targetOf(path), "lock"), error);
    return null;
  }
}

function fileLocked(path: string, lock: string, cause: GranaryError): GranaryError {
  const { owner } = cause.details;
  return new GranaryError(
    "locked",
    `${path} is locked by ${owner}, which has not finished writing it for ${sayTimeLimit(timeoutMs)}. Nothing was changed. ` +
      `Resume or end that process; if there is no such process, delete ${lock}.`,
    { details: { path, owner, lock }, cause },
  );
}

/** The target of a link; a file that does not exist yet is in its folder. */
async function targetOf(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => null);
  if (whole !== null) return whole;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}
