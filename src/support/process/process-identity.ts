import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { isExhaustion } from "./exhaustion.ts";
import { systemEnvironment, systemProgram } from "./system-program.ts";

/** Distinguishes a process from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time, as the system prints it; null where the system does not report it. */
  readonly began: string | null;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, began: beginningOf(pid) };
}

/** Whether that very process runs. A zombie does not, though signals reach it. True if there are no descriptors to find out. */
export function isStillRunning({ pid, began }: ProcessIdentity): boolean {
  const reach = reachOf(pid);
  if (reach === "none") return false;
  if (began === null || (reach === "hidden" && process.platform === "linux")) return true;
  const now = lookAt(pid);
  return now === unknown || now === began;
}

/** Some systems hide other users' processes: such a process runs, with an unknown start time. */
function reachOf(pid: number): "signals" | "hidden" | "none" {
  try {
    process.kill(pid, 0);
    return "signals";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return "none";
    return existsSync(`/proc/${pid}`) ? "signals" : "hidden";
  }
}

function beginningOf(pid: number): string | null {
  const now = lookAt(pid);
  return now === unknown ? null : now;
}

/** There were no descriptors to look. */
const unknown = Symbol("unknown");
type Beginning = string | typeof unknown | null;

function lookAt(pid: number): Beginning {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** Ticks since the machine started, so they need the machine's start time beside them. */
function fromProc(pid: number): Beginning {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain any character.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return hasEnded(fields[0]) ? null : `${fields[19]}@${bootId()}`;
  } catch (error) {
    return isExhaustion(error) ? unknown : null;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return "";
  }
}

function fromPs(pid: number): Beginning {
  try {
    const line = execFileSync(systemProgram("ps"), ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { ...systemEnvironment, TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [state, ...start] = line.trim().split(/\s+/);
    return hasEnded(state) ? null : start.join(" ");
  } catch (error) {
    return isExhaustion(error) ? unknown : null;
  }
}

function hasEnded(state: string | undefined): boolean {
  return state === undefined || state === "" || /^[ZX]/.test(state);
}
