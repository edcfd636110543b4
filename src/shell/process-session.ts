import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isShortage } from "../support/process/exhaustion.ts";
import { systemEnvironment, systemProgram } from "../support/process/system-program.ts";

const lookAgainMs = 20;
const longestDyingMs = 2000;

/**
 * The processes of a session: all that its leader has started, except those that have begun a session of
 * their own. More than a process group: `timeout 60 make` and `set -m` make groups. Only Linux lists a session's processes;
 * elsewhere it is the leader's group. Empty when there are no descriptors to look them up with.
 */
export function sessionMembers(leader: number): readonly number[] {
  return lookUp(leader) ?? [];
}

/** Sends SIGTERM to a session, then SIGKILL; settles when no process is left. */
export async function endSession(leader: number, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  // One SIGTERM each: a second signal would disturb a process that is cleaning up.
  const asked = new Set<number>();
  for (let left = whomToSignal(leader); left.length > 0; left = whomToSignal(leader)) {
    const isTimeUp = performance.now() > until;
    for (const pid of left) {
      if (isTimeUp) signal(pid, "SIGKILL");
      else if (!asked.has(pid)) signal(pid, "SIGTERM");
      asked.add(pid);
    }
    // A process stuck in the kernel cannot be killed; do not wait for it.
    if (performance.now() > until + longestDyingMs) return;
    await sleep(lookAgainMs);
  }
}

/** Process ids; where they cannot be looked up, the leader's group as a negative number. */
function whomToSignal(leader: number): readonly number[] {
  return lookUp(leader) ?? (signal(-leader, 0) ? [-leader] : []);
}

function lookUp(leader: number): readonly number[] | null {
  try {
    if (process.platform !== "linux") return groupMembers(leader);
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => sessionOf(pid) === leader);
  } catch (error) {
    if (isShortage(error)) return null;
    throw error;
  }
}

/** False when the process has ended. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Null for a process that has ended, including zombies. */
function sessionOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain any character.
    const [state = "Z", , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return hasEnded(state) ? null : Number(session);
  } catch (error) {
    if (isShortage(error)) throw error;
    return null;
  }
}

function groupMembers(leader: number): number[] {
  const lines = execFileSync(systemProgram("ps"), ["-A", "-o", "pid=,pgid=,stat="], {
    encoding: "utf8",
    env: systemEnvironment,
  }).split("\n");
  return lines.flatMap((line) => {
    const [pid, group, state = "Z"] = line.trim().split(/\s+/);
    return Number(group) === leader && !hasEnded(state) ? [Number(pid)] : [];
  });
}

function hasEnded(state: string): boolean {
  return /^[ZX]/.test(state);
}
