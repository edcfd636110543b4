import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
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
    const found = await endMarkedOnes(mark);
    if (found === null) return false;
    if (found === 0) return true;
  }
  return true;
}

const rounds = 100;
const pauseMs = 5;
const firstWaitMs = 50;
const longestWaitMs = 5000;
/** A few dozen take half a millisecond. */
const atOnce = 32;

/**
 * How many there were; null without descriptors to look. Synchronous, because a file of the kernel is read in microseconds: on a
 * machine with work for every core, waiting for a thread at each of hundreds of files would take a minute.
 */
async function endMarkedOnes(mark: Buffer): Promise<number | null> {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    let found = 0;
    for (const [at, pid] of pids.entries()) {
      if (at % atOnce === atOnce - 1) await nextTurn();
      if (hasMark(pid, mark) && wasKilled(Number(pid))) found += 1;
    }
    return found;
  } catch (error) {
    if (isExhaustion(error)) return null;
    throw error;
  }
}

/** @throws only without descriptors */
function hasMark(pid: string, mark: Buffer): boolean {
  try {
    // Empty for a zombie; unreadable for other users' processes.
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return false;
  }
}

function wasKilled(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
