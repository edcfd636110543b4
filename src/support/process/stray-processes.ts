import { readdirSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { isExhaustion } from "./exhaustion.ts";
import { readProcFile } from "./proc-files.ts";

/**
 * Kills every process that has a variable with this value in its environment, in any process group: an rc file may start
 * agents and daemons that left the shell's process group. Linux only; other systems do not show environments. Without
 * descriptors for the search, it is repeated later, and the promise settles before.
 */
export async function endStrayProcesses(name: string, value: string, proc = "/proc"): Promise<void> {
  const mark = Buffer.from(`${name}=${value}\0`);
  if (!(await searchWasWhole(mark, proc))) void searchLater(mark, proc);
}

async function searchLater(mark: Buffer, proc: string): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    await sleep(waitMs, undefined, { ref: false });
    if (await searchWasWhole(mark, proc)) return;
  }
}

async function searchWasWhole(mark: Buffer, proc: string): Promise<boolean> {
  /** Processes without an environment at the last look; null for all processes. */
  let unknown: readonly string[] | null = null;
  // A process that forks during the search is found in the next round, and so is one that has not ended yet on a busy machine.
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await sleep(pauseMs);
    const found = await endMarkedOnes(mark, proc, unknown);
    if (found === null) return false;
    // Only for these, since on a machine that builds programs there is always one that begins.
    unknown = found.killed > 0 ? null : found.beginning;
    if (unknown?.length === 0) return true;
  }
  return unknown === null;
}

const rounds = 100;
const pauseMs = 5;
const firstWaitMs = 50;
const longestWaitMs = 5000;
/** A few dozen take half a millisecond. */
const atOnce = 32;

interface Found {
  readonly killed: number;
  /** Processes whose environment the system does not know yet. */
  readonly beginning: readonly string[];
}

/**
 * Null without descriptors to look. Synchronous, because a file of the kernel is read in microseconds: on a
 * machine with work for every core, waiting for a thread at each of hundreds of files would take a minute.
 */
async function endMarkedOnes(mark: Buffer, proc: string, among: readonly string[] | null): Promise<Found | null> {
  try {
    const pids = among ?? readdirSync(proc).filter((name) => /^\d+$/.test(name));
    const beginning: string[] = [];
    let killed = 0;
    for (const [at, pid] of pids.entries()) {
      if (at % atOnce === atOnce - 1) await nextTurn();
      const environment = contentOf(`${proc}/${pid}/environ`);
      if (environment?.includes(mark) && wasKilled(Number(pid))) killed += 1;
      if (environment?.length === 0 && isBeginning(contentOf(`${proc}/${pid}/stat`))) beginning.push(pid);
    }
    return { killed, beginning };
  } catch (error) {
    if (isExhaustion(error)) return null;
    throw error;
  }
}

/** The flags of a process that is ending, and of a thread of the system's. */
const hasNoProgram = 0x4 | 0x200000;

/**
 * Whether a process is in the middle of `exec`: the former program's memory is gone, and the new one has no environment yet. That
 * takes 25 ms on a busy machine, and the parent has gone on by then.
 */
function isBeginning(stat: Buffer | null): boolean {
  if (stat === null) return false;
  // The second field is the program's name in parentheses, which may contain any character.
  const text = stat.toString("latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", flags, endOfEnvironment] = [fields[0], fields[6], fields[48]];
  return endOfEnvironment === "0" && !/[ZX]/.test(state) && (Number(flags) & hasNoProgram) === 0;
}

/**
 * Null for a process that has ended, and for those of other users.
 * @throws only without descriptors
 */
function contentOf(path: string): Buffer | null {
  try {
    return readProcFile(path);
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return null;
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
