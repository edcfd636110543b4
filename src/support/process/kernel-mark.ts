import { readdirSync, readFileSync } from "node:fs";
import { hasDescriptors } from "./descriptors.ts";
import { procFile } from "./proc-files.ts";
import { endStrayProcesses } from "./stray-processes.ts";
import { startWatchingShell } from "./watching-shell.ts";

/**
 * The variable by which Granary finds what a kernel's code has started in other process groups and sessions. Linux only: other
 * systems do not show environments. A process that clears its environment is not found.
 */
const markVariable = "GRANARY_KERNEL";

const host = uniqueWord();
let kernels = 0;

/** A value of the variable, for one kernel. All are of one length: a forked kernel writes its own over that of another. */
export function newKernelMark(): string {
  return `${host}.${String(++kernels).padStart(8, "0")}`;
}

/** An environment in which kernels that are forked find room for their marks. */
export function withRoomForMarks(env: Readonly<Record<string, string>>): Record<string, string> {
  return process.platform === "linux" ? { ...env, [markVariable.toLowerCase()]: `${host}.00000000` } : { ...env };
}

export function withMark(env: Readonly<Record<string, string>>, mark: string): Record<string, string> {
  return process.platform === "linux" ? { ...env, [markVariable]: mark } : { ...env };
}

/** For a kernel that stays when this process ends, so that the search after our end does not find it. */
export function newLastingMark(): string {
  return `kept-${uniqueWord()}`;
}

/** The mark of a process that runs; null where there is none, and where the system does not show environments. */
export function markOf(pid: number): string | null {
  if (process.platform !== "linux") return null;
  const entries = procFile(`/proc/${pid}/environ`).split("\0");
  const own = entries.find((entry) => entry.startsWith(`${markVariable}=`));
  return own?.slice(markVariable.length + 1) ?? null;
}

export async function endMarked(mark: string): Promise<void> {
  if (process.platform === "linux") await endStrayProcesses(markVariable, mark);
}

/**
 * Whether a process has, or had, children: without them, the search through all processes is not worth its time. Zombies
 * count as children, and Linux counts the page faults of all that were waited for.
 */
export function hasHadChildren(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const faultsOfChildren = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[8];
    const threads = readdirSync(`/proc/${pid}/task`);
    return (
      faultsOfChildren !== "0" ||
      threads.some((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1") !== "")
    );
  } catch {
    return true;
  }
}

const watchAfterMs = 1000;
let isWatched = false;
let isLasting = false;

/**
 * From a second on, so that short commands do not pay for it, a shell waits for the end of this process, of any kind, and then ends
 * every process with a mark of ours. Without descriptors for a pipe, nothing watches.
 * @returns a function that cancels, if the shell has not been started yet
 */
export function watchForOurEnd(): () => void {
  if (isWatched || process.platform !== "linux") return () => {};
  watchLastingHost();
  const timer = setTimeout(startWatching, watchAfterMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** This process stays for hours: the shell does not wait for a second, so that a `kill -9` at any time leaves nothing behind. */
export function becomeLastingHost(): void {
  isLasting = true;
}

/** Called while a Python loads that we started: a start of a shell takes ten milliseconds, and there is nothing else to do. */
export function watchLastingHost(): void {
  if (isLasting) startWatching();
}

function startWatching(): void {
  if (isWatched || process.platform !== "linux" || !hasDescriptors()) return;
  const find = `grep -lsaF '${markVariable}=${host}.'`;
  // One grep for all: one for each process would take half a second of processor time on a machine with two hundred. But then a
  // process with gigabytes of variables takes all the memory that grep may have.
  const search = `found=$(${find} [0-9]*/environ 2>&1)
for file in $found; do kill -s KILL "\${file%/environ}"; done
case $found in *memory*) for pid in [0-9]*; do head -c ${8 * 2 ** 20} "$pid/environ" | ${find} - && kill -s KILL "$pid"; done;; esac`;
  // A process that forks during the search is found in the second round. In the middle of `exec`, a process has no environment: on
  // a busy machine, that lasts.
  isWatched =
    startWatchingShell(`read _; ulimit -v 262144; cd /proc && { ${search}; ${search}; sleep 1; ${search}; }`) !== null;
}

/** Sixteen hexadecimal digits. Not secret: all processes of a kernel see them. Node would load its whole cryptography for better ones. */
function uniqueWord(): string {
  const half = () => Math.floor(Math.random() * 2 ** 32).toString(16);
  return [half(), half()].map((digits) => digits.padStart(8, "0")).join("");
}
