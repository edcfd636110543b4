import { type ChildProcess, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly group: number;
}

/** Whether a process runs. One that has ended but was not yet waited for, a zombie, does not, though signals reach it. */
export function isRunning(pid: number): boolean {
  // Tests ask again and again: on Linux, one file answers.
  return hasProc ? statOf(String(pid)).length > 0 : fromPs().some((process) => process.pid === pid);
}

/** The processes of a group that run. */
export function groupMembers(group: number): readonly number[] {
  return running()
    .filter((process) => process.group === group)
    .map((process) => process.pid);
}

const hasProc = existsSync("/proc/self/stat");

function running(): readonly Process[] {
  if (!hasProc) return fromPs();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap(statOf);
}

/** The flag of a process that runs no more of its program, and is being cleared away: that can take a while on a busy machine. */
const ending = 0x4;

function statOf(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain anything.
    const [state, , group, , , , flags] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isEnding = (Number(flags) & ending) !== 0;
    return isEnding || hasEnded(state) ? [] : [{ pid: Number(pid), group: Number(group) }];
  } catch {
    return []; // it ended while we were looking
  }
}

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return lines.flatMap((line) => {
    const [pid, group, state] = line.trim().split(/\s+/);
    return hasEnded(state) ? [] : [{ pid: Number(pid), group: Number(group) }];
  });
}

function hasEnded(state: string | undefined): boolean {
  return state === undefined || state.startsWith("Z") || state.startsWith("X");
}

/** Asks a server to end, and insists after a while. */
export async function endServer(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const insist = setTimeout(() => server.kill("SIGKILL"), 5000);
  await ended;
  clearTimeout(insist);
}
