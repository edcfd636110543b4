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
  const search: Search = {
    mark,
    proc,
    session: statusOf(contentOf(`${proc}/self/stat`))?.session ?? null,
    others: new Set(),
  };
  let among: readonly string[] | null = null;
  let roundsWithoutOne = 0;
  // A process that forks during the search is found in the next round, and so is one that has not ended yet on a busy machine.
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await sleep(pauseMs);
    const found = await endMarkedOnes(search, among);
    if (found === null) return false;
    roundsWithoutOne = found.killed > 0 ? 0 : roundsWithoutOne + 1;
    // One that forks and ends every few milliseconds may be gone before it is asked. On a machine that builds programs, others are.
    const mayBeMore = found.killed > 0 || (found.gone > 0 && roundsWithoutOne < mostRoundsWithoutOne);
    // Only for these, since on such a machine there is always one that begins.
    among = mayBeMore ? null : found.beginning;
    if (among?.length === 0) return true;
  }
  return false;
}

const rounds = 100;
const mostRoundsWithoutOne = 10;
const pauseMs = 5;
const firstWaitMs = 50;
const longestWaitMs = 5000;
/** A few dozen take half a millisecond. */
const atOnce = 32;

interface Search {
  readonly mark: Buffer;
  readonly proc: string;
  /** That of this process. */
  readonly session: number | null;
  /** Processes without the mark. Each is asked once: a round among hundreds would take longer than some processes live. */
  readonly others: Set<string>;
}

interface Found {
  readonly killed: number;
  /** How many ended before they were asked. */
  readonly gone: number;
  /** Processes whose environment the system does not know yet. */
  readonly beginning: readonly string[];
}

/**
 * Null without descriptors to look. Synchronous, because a file of the kernel is read in microseconds: on a
 * machine with work for every core, waiting for a thread at each of hundreds of files would take a minute.
 */
async function endMarkedOnes(search: Search, among: readonly string[] | null): Promise<Found | null> {
  const { proc, others } = search;
  try {
    const pids = among ?? readdirSync(proc).filter((name) => /^\d+$/.test(name) && !others.has(name));
    const beginning: string[] = [];
    let killed = 0;
    let gone = 0;
    // The newest first: it may be there for a few milliseconds only.
    for (const [at, pid] of [...pids].reverse().entries()) {
      if (at % atOnce === atOnce - 1) await nextTurn();
      const kind = kindOf(pid, search);
      if (kind === "beginning") beginning.push(pid);
      else if (kind === "gone") gone += 1;
      else if (kind === "marked") killed += wasKilled(pid, search) ? 1 : 0;
      if (kind === "gone" || kind === "other") others.add(pid);
    }
    return { killed, gone, beginning };
  } catch (error) {
    if (isExhaustion(error)) return null;
    throw error;
  }
}

function kindOf(pid: string, { mark, proc }: Search): "marked" | "other" | "beginning" | "gone" {
  const environment = contentOf(`${proc}/${pid}/environ`);
  if (environment === "refused") return "other";
  if (environment?.includes(mark)) return "marked";
  if (environment !== null && environment.length > 0) return "other";
  const status = statusOf(contentOf(`${proc}/${pid}/stat`));
  if (status === null || status.hasEnded) return "gone";
  return status.isBeginning ? "beginning" : "other";
}

interface Status {
  readonly group: number;
  readonly session: number;
  readonly hasEnded: boolean;
  /**
   * Whether it is in the middle of `exec`: the former program's memory is gone, and the new one has no environment yet. That
   * takes 25 ms on a busy machine, and the parent has gone on by then.
   */
  readonly isBeginning: boolean;
}

const isEnding = 0x4;
const isOfSystem = 0x200000;

function statusOf(stat: Buffer | "refused" | null): Status | null {
  if (stat === null || stat === "refused" || stat.length === 0) return null;
  // The second field is the program's name in parentheses, which may contain any character.
  const text = stat.toString("latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", group, session, flags, endOfEnvironment] = [0, 2, 3, 6, 48].map((at) => fields[at]);
  const hasEnded = /[ZX]/.test(state) || (Number(flags) & isEnding) !== 0;
  const isBeginning = endOfEnvironment === "0" && !hasEnded && (Number(flags) & isOfSystem) === 0;
  return { group: Number(group), session: Number(session), hasEnded, isBeginning };
}

/**
 * Null for a process that has ended.
 * @throws only without descriptors
 */
function contentOf(path: string): Buffer | "refused" | null {
  try {
    return readProcFile(path);
  } catch (error) {
    if (isExhaustion(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" || code === "EPERM" ? "refused" : null;
  }
}

/** With its group, where that is in another session than ours: a child that was just forked is killed as well, and cannot fork again. */
function wasKilled(pid: string, { proc, session }: Search): boolean {
  const status = statusOf(contentOf(`${proc}/${pid}/stat`));
  const isApart = status !== null && session !== null && status.session !== session && status.group > 1;
  const killedGroup = isApart && signals(-status.group);
  return signals(Number(pid)) || killedGroup;
}

function signals(target: number): boolean {
  try {
    process.kill(target, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
