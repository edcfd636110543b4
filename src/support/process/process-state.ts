import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { systemEnvironment, systemProgram } from "./system-program.ts";

/**
 * Whether a process is stopped (SIGSTOP, SIGTSTP) and does nothing until it is continued. The system answers, not
 * the process, which may be busy and healthy at the same time.
 */
export async function isStopped(pid: number): Promise<boolean> {
  const state = process.platform === "linux" ? fromProc(pid) : await fromPs(pid);
  // Linux has another letter, `t`, for a process stopped by a debugger: a person works with it.
  return state.startsWith("T");
}

function fromProc(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may contain any character.
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch {
    return ""; // it has ended
  }
}

async function fromPs(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)(systemProgram("ps"), ["-o", "stat=", "-p", String(pid)], {
    env: systemEnvironment,
  }).catch(() => ({
    stdout: "",
  }));
  return stdout.trim();
}
