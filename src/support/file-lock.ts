import { randomUUID } from "node:crypto";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf, isStillRunning, type ProcessIdentity } from "./process-identity.ts";

/** What the file says about who holds the lock. */
interface Owner extends ProcessIdentity {
  readonly host: string;
  /** Tells two holders apart who are the same process. */
  readonly word: string;
}

const lookAgainMs = 50;
const heartbeatMs = 2000;
/** After so long without a heartbeat, an owner that cannot be looked at, being on another machine, counts as gone. */
const silentMs = 30_000;
/** A file without an owner is one that is being written, unless it stays so. */
const unwrittenMs = 5000;

export interface Waiting {
  readonly signal?: AbortSignal | undefined;
  /** Is told once who holds the lock, if somebody does: `process 4711`. */
  readonly onWait?: ((owner: string) => void) | undefined;
}

/**
 * Runs something while nobody else does who takes the same lock, in this process or another. The file is there as long
 * as the lock is held; what a process left behind that has ended is taken over.
 */
export async function whileHolding<T>(path: string, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  const record = await take(path, waiting);
  const heartbeat = setInterval(() => void beat(path), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await removeIfStill(path, record);
  }
}

/** Settles with what now stands in the file. Rejects with the signal's reason. */
async function take(path: string, { signal, onWait }: Waiting): Promise<string> {
  const owner: Owner = { ...identityOf(process.pid), host: hostname(), word: randomUUID() };
  const record = JSON.stringify(owner);
  for (let hasTold = false; ; ) {
    signal?.throwIfAborted();
    if (await create(path, record)) return record;
    const found = await readFile(path, "utf8").catch(() => null);
    if (found === null) continue;
    if (await isLeftBehind(path, found)) {
      await takeAway(path, found, record);
      continue;
    }
    if (!hasTold) onWait?.(`process ${ownerIn(found)?.pid ?? "unknown"}`);
    hasTold = true;
    await sleep(lookAgainMs, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  }
}

async function create(path: string, record: string): Promise<boolean> {
  try {
    await writeFile(path, record, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isLeftBehind(path: string, record: string): Promise<boolean> {
  const owner = ownerIn(record);
  if (owner?.host === hostname()) return !isStillRunning(owner);
  const file = await stat(path).catch(() => null);
  return file !== null && Date.now() - file.mtimeMs > (owner === null ? unwrittenMs : silentMs);
}

/**
 * Of several who find the same file left behind, a slow one must not take away what a quick one has made since: so only
 * one at a time looks again and removes.
 */
async function takeAway(path: string, leftBehind: string, record: string): Promise<void> {
  const turn = `${path}.turn`;
  if (await create(turn, record)) {
    await removeIfStill(path, leftBehind);
    await rm(turn, { force: true });
    return;
  }
  const found = await readFile(turn, "utf8").catch(() => null);
  if (found !== null && (await isLeftBehind(turn, found))) await removeIfStill(turn, found);
  else await sleep(lookAgainMs);
}

async function removeIfStill(path: string, record: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => null)) === record) await rm(path, { force: true });
}

async function beat(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

function ownerIn(record: string): Owner | null {
  try {
    const owner = JSON.parse(record) as Owner;
    return Number.isInteger(owner.pid) && owner.pid > 0 && typeof owner.host === "string" ? owner : null;
  } catch {
    return null;
  }
}
