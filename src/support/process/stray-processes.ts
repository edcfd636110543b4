import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isExhaustion } from "./exhaustion.ts";

/**
 * Kills every process that has a variable with this value in its environment, in any process group: an rc file may start
 * agents and daemons that left the shell's process group. Linux only; other systems do not show environments. Without
 * descriptors for the search, it is repeated later, and the promise settles before.
 */
export async function endStrayProcesses(name: string, value: string): Promise<void> {
  const mark = Buffer.from(`${name}=${value}\0`);
  if (!(await searchWasWhole(mark))) void searchLater(mark);
}

async function searchLater(mark: Buffer): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    await sleep(waitMs, undefined, { ref: false });
    if (await searchWasWhole(mark)) return;
  }
}

async function searchWasWhole(mark: Buffer): Promise<boolean> {
  // A process that forks during the search is found in the next round, and so is one that has not ended yet on a busy machine.
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await sleep(pauseMs);
    let hasFound = false;
    const pids = await processIds();
    if (pids === null) return false;
    // A few at once: there may be more processes than descriptors.
    for (let from = 0; from < pids.length; from += atOnce) {
      const ended = await Promise.all(pids.slice(from, from + atOnce).map((pid) => endIfMarked(pid, mark)));
      if (ended.includes(null)) return false;
      hasFound ||= ended.includes(true);
    }
    if (!hasFound) return true;
  }
  return true;
}

const rounds = 100;
const pauseMs = 5;
const atOnce = 8;
const firstWaitMs = 50;
const longestWaitMs = 5000;

/** Null without a descriptor for the list. */
async function processIds(): Promise<number[] | null> {
  const names = await readdir("/proc").catch((error) => (isExhaustion(error) ? null : []));
  return names?.filter((name) => /^\d+$/.test(name)).map(Number) ?? null;
}

/** Null without a descriptor to look at it. */
async function endIfMarked(pid: number, mark: Buffer): Promise<boolean | null> {
  // Empty for a zombie; unreadable for other users' processes.
  const environment = await readFile(`/proc/${pid}/environ`).catch((error) => (isExhaustion(error) ? null : undefined));
  if (environment === null) return null;
  if (!environment?.includes(mark)) return false;
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
