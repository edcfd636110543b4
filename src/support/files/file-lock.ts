import { lutimes, open, rm, stat, unlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { GranaryError } from "../granary-error.ts";
import { isExhaustion } from "../process/exhaustion.ts";
import { readSmallFile } from "./foreign/regular-file.ts";
import { newRecord, OwnerWatch, sayOwner, unreadable } from "./lock-owner.ts";

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Called once with the lock's owner, if it has one: `process 4711`. */
  readonly onWait?: ((owner: string) => void) | undefined;
  /** Waiting for the same owner ends with `locked` after this time. Without it, waiting has no end. */
  readonly timeoutMs?: number;
  /** The mode of the lock file; 0600 by default. */
  readonly mode?: number;
}

export interface HeldLock {
  /** Whether an earlier owner ended without releasing the lock. */
  readonly wasLeftBehind: boolean;
  release(): Promise<void>;
}

const heartbeatMs = 2000;
const lookAgainMs = 50;

/** Runs work under a lock, exclusive in this process and among others. */
export async function whileHolding<T>(path: string, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(path, waiting);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Takes a lock, which is a file that exists as long as the lock is held. A lock whose owner has ended is taken over.
 * Rejects with the signal's reason, with `locked`, or with the system's error when the file cannot be made.
 */
export async function takeLock(path: string, waiting: Waiting = {}): Promise<HeldLock> {
  const turn = new LockTurn(path, waiting);
  await turn.take();
  const heartbeat = setInterval(() => void beat(path), heartbeatMs);
  heartbeat.unref();
  return {
    wasLeftBehind: turn.wasLeftBehind,
    async release() {
      clearInterval(heartbeat);
      await giveBack(path, turn.record);
    },
  };
}

/** A long-lived owner is checked less often. */
interface Pauses {
  readonly firstMs: number;
  readonly lastMs: number;
}
const inLine: Pauses = { firstMs: 15, lastMs: 60 };
const isNext: Pauses = { firstMs: 2, lastMs: 50 };
/** The next in line loses its place when it leaves a free lock unused for this long. */
const sleepyMs = 1000;
/** The path of the lock is taken by something that can be neither read nor replaced. */
const mostMisses = 200;

/** One caller's attempt to get the lock. */
class LockTurn {
  readonly record = newRecord();
  wasLeftBehind = false;
  readonly #path: string;
  /** Exists while a process takes a stale file away. */
  readonly #turn: string;
  readonly #waiting: Waiting;
  readonly #watch: OwnerWatch;
  readonly #turnWatch: OwnerWatch;
  #hasTold = false;

  constructor(path: string, waiting: Waiting) {
    this.#path = path;
    this.#turn = `${path}.turn`;
    this.#waiting = waiting;
    this.#watch = new OwnerWatch(path);
    this.#turnWatch = new OwnerWatch(this.#turn);
  }

  /**
   * One waiter at a time tries for the lock: the one that holds the place next in line. So an owner that
   * releases the lock and wants it again at once cannot overtake the others.
   */
  async take(): Promise<void> {
    const next = `${this.#path}.next`;
    this.#waiting.signal?.throwIfAborted();
    if ((await isThere(next)) || !(await this.#create(this.#path))) {
      await this.#takeFile(next, inLine, new OwnerWatch(next));
      try {
        await this.#takeFile(this.#path, isNext, this.#watch);
      } finally {
        await giveBack(next, this.record);
      }
    }
    if (await isThere(this.#turn)) await this.#finishTakingAway();
  }

  async #takeFile(file: string, pauses: Pauses, watch: OwnerWatch): Promise<void> {
    const { signal } = this.#waiting;
    for (let misses = 0; ; ) {
      signal?.throwIfAborted();
      if (await this.#create(file)) return;
      const found = await recordIn(file);
      if (found === null && ++misses < mostMisses) continue;
      if (found === null) throw unusable(file);
      misses = 0;
      const seenForMs = watch.see(found);
      if (await watch.isGone()) {
        if (file === this.#path) this.wasLeftBehind = true;
        await this.#takeAway(file, found);
        continue;
      }
      const isFree = await this.#lookAtOwner(file === this.#path ? found : await recordIn(this.#path));
      if (isFree && seenForMs > sleepyMs) return;
      const pause = Math.min(pauses.lastMs, pauses.firstMs + seenForMs / 10) * (0.75 + Math.random() / 2);
      await sleep(pause, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  }

  /** @returns whether the lock is free */
  async #lookAtOwner(record: string | null): Promise<boolean> {
    const heldForMs = this.#watch.see(record);
    if (record === null) return true;
    const { onWait, timeoutMs = Number.POSITIVE_INFINITY } = this.#waiting;
    if (heldForMs > timeoutMs) throw lockHeld(this.#path, sayOwner(record));
    if (!this.#hasTold) onWait?.(sayOwner(record));
    this.#hasTold = true;
    return false;
  }

  async #create(file: string): Promise<boolean> {
    return createExclusively(file, this.record, this.#waiting.mode ?? 0o600);
  }

  /**
   * When several find the same stale file, a slow one must not remove the new file of a quick one: so only
   * one at a time checks again and removes.
   */
  async #takeAway(file: string, leftBehind: string): Promise<void> {
    if (await this.#create(this.#turn)) {
      await removeIfStill(file, leftBehind).finally(() => rm(this.#turn, { force: true }));
    } else if (!(await this.#endTurnOfGone())) {
      await sleep(isNext.firstMs);
    }
  }

  /** A process that was killed while it took a stale lock away leaves its turn, and the drafts of the lock's earlier owner. */
  async #finishTakingAway(): Promise<void> {
    if (await this.#endTurnOfGone().catch(() => false)) this.wasLeftBehind = true;
  }

  /** @returns whether the turn is free now */
  async #endTurnOfGone(): Promise<boolean> {
    const found = await recordIn(this.#turn);
    if (found === null) return true;
    this.#turnWatch.see(found);
    if (!(await this.#turnWatch.isGone())) return false;
    await removeIfStill(this.#turn, found);
    return true;
  }
}

/** False when the file exists already. */
async function createExclusively(path: string, content: string, mode: number): Promise<boolean> {
  const file = await open(path, "wx", mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw error;
  });
  if (file === null) return false;
  try {
    await file.writeFile(content);
    return true;
  } catch (error) {
    // The disk is full; an empty lock would block everyone.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Null when there is no such file. In a folder that others may write, it may also be a pipe, a link or a device. */
async function recordIn(path: string): Promise<string | null> {
  return readSmallFile(path, { mayBeLink: false, mostBytes: mostRecordBytes }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    if (error.code === "EACCES" || error.code === "EPERM") return unreadable;
    throw isOddFile(error) ? unusable(path) : error;
  });
}

const mostRecordBytes = 64 * 1024;

function isOddFile({ code = "" }: NodeJS.ErrnoException): boolean {
  return ["ELOOP", "ENXIO", "EISDIR", "ERR_FS_FILE_TOO_LARGE"].includes(code);
}

/**
 * Removes a file of ours. Without descriptors to look whose file it is, Granary tries again until there are some, and the promise settles
 * before: other processes leave the file alone while we live.
 */
async function giveBack(path: string, record: string): Promise<void> {
  const wasLooked = () =>
    removeIfStill(path, record).then(
      () => true,
      (error) => !isExhaustion(error),
    );
  if (!(await wasLooked())) void repeatUntil(wasLooked);
}

async function repeatUntil(isDone: () => Promise<boolean>): Promise<void> {
  do await sleep(lookAgainMs, undefined, { ref: false });
  while (!(await isDone()));
}

async function removeIfStill(path: string, record: string): Promise<void> {
  // Not `rm`, which looks at the file twice before it unlinks it.
  if ((await recordIn(path)) === record) await unlink(path).catch(unlessMissing);
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function beat(path: string): Promise<void> {
  const now = new Date();
  // Not `utimes`, which would change the file that a link in the lock's place leads to.
  await lutimes(path, now, now).catch(() => undefined);
}

/** @param owner `process 4711` */
function lockHeld(lock: string, owner: string): GranaryError {
  const remedy = `Resume or end that process; if there is no such process, delete ${lock}.`;
  return new GranaryError("locked", `${owner} does not release ${lock}. ${remedy}`, { details: { lock, owner } });
}

function unusable(lock: string): GranaryError {
  return new GranaryError("lock-unusable", `${lock} cannot be used as a lock. Delete it.`, { details: { lock } });
}
