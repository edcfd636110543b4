import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../kernel/processes.ts";

export interface WorldProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The processes that belong to a world: its folder is in their environment, also after a fork or with another parent. */
export function processesOf(folder: string): readonly WorldProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(folder)) return [];
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || state === "X") return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
      return [{ pid: Number(pid), parent: Number(parent), command }];
    } catch {
      return []; // it ended while we were looking, or belongs to somebody else
    }
  });
}

/** Signals a process only if it belongs to the world: its number may be of another by now. */
export function signalInWorld(folder: string, pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (pid === undefined || !isRunning(pid) || !processesOf(folder).some((process) => process.pid === pid)) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Temporary files, and locks in Granary's folder. */
export function leftFiles(folder: string): readonly string[] {
  const all = (under: string) =>
    existsSync(join(folder, under))
      ? readdirSync(join(folder, under), { recursive: true, encoding: "utf8" }).map((file) => `${under}/${file}`)
      : [];
  return [...all("tmp"), ...all("home").filter((file) => /lock/.test(file))];
}
