import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process began, as far as the system tells: process ids are used again. */
  readonly began: string | null;
  readonly word: string;
}

const lookAgainMs = 100;
/** A record without an owner is one that is being written, unless it stays so. */
const unreadableMs = 10_000;
/** Another machine's processes cannot be seen; nobody installs for so long. */
const foreignMs = 60 * 60 * 1000;

/**
 * Runs something while no other process does the same. Who comes second waits; a record whose owner has died is
 * swept aside.
 */
export async function whileLocked<T>(
  path: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: (owner: string) => void },
  work: () => Promise<T>,
): Promise<T> {
  const mine = JSON.stringify({ host: hostname(), pid: process.pid, began: beginOf(process.pid), word: aWord() });
  for (let waited = false; !(await take(path, mine)); ) {
    signal.throwIfAborted();
    const theirs = await readFile(path, "utf8").catch(() => null);
    if (theirs === null) continue;
    if (await isStale(path, theirs)) {
      await sweepAside(path, theirs);
      continue;
    }
    if (!waited) onWait(`process ${ownerOf(theirs)?.pid ?? "unknown"}`);
    waited = true;
    await sleep(lookAgainMs, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    if ((await readFile(path, "utf8").catch(() => null)) === mine) await rm(path, { force: true });
  }
}

async function take(path: string, record: string): Promise<boolean> {
  try {
    await writeFile(path, record, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isStale(path: string, record: string): Promise<boolean> {
  const owner = ownerOf(record);
  if (owner?.host === hostname()) return !isRunning(owner);
  const file = await stat(path).catch(() => null);
  return file !== null && Date.now() - file.mtimeMs > (owner === null ? unreadableMs : foreignMs);
}

/** Of two who find the same stale record, one may meet the other's new one here, and has to put it back. */
async function sweepAside(path: string, stale: string): Promise<void> {
  const aside = `${path}.${aWord()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== stale) await link(aside, path);
  } catch {
    // Somebody else was quicker.
  }
  await rm(aside, { force: true });
}

function ownerOf(record: string): Owner | null {
  try {
    const owner = JSON.parse(record) as Owner;
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : null;
  } catch {
    return null;
  }
}

function isRunning({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const now = beginOf(pid);
  return began === null || now === began;
}

/** From Linux's /proc; a process that has ended and was not waited for has no beginning any more. */
function beginOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function aWord(): string {
  return randomBytes(6).toString("hex");
}
