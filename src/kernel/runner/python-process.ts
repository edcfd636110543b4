import { constants } from "node:os";
import { procChildren, procFile } from "../../support/process/proc-files.ts";
import type { RunnerExit, RunnerProcess } from "./spawn-runner.ts";

/**
 * Notes which process said hello. A wrapper, or a sandbox with process numbers of its own, may be in front of it: then the
 * number in `hello` means nothing here. The kernel's table of each process has its numbers in all namespaces.
 * @returns whether the process is known
 */
export function findPython(runner: RunnerProcess, said: number): boolean {
  if (process.platform !== "linux") return true;
  const python = search(runner.pid, said);
  if (python === null) return false;
  runner.pythonPid = python;
  return true;
}

function search(pid: number, said: number): number | null {
  if (innermostNumber(pid) === said) return pid;
  for (const child of procChildren(pid)) {
    const found = search(child, said);
    if (found !== null) return found;
  }
  return null;
}

function innermostNumber(pid: number): number | null {
  const numbers = /^NSpid:\s*(.*)$/m.exec(procFile(`/proc/${pid}/status`))?.[1]?.split(/\s+/);
  return numbers === undefined ? null : Number(numbers.at(-1));
}

const firstOfSignals = 128;

/** As of Python itself: a launcher reports the signal that ended its program as a shell does, by 128 and its number. */
export function exitBehindLauncher({ exitCode, signal }: RunnerExit): RunnerExit {
  const number = exitCode === null ? 0 : exitCode - firstOfSignals;
  const found = Object.entries(constants.signals).find(([, each]) => each === number);
  return found === undefined ? { exitCode, signal } : { exitCode: null, signal: found[0] as NodeJS.Signals };
}
