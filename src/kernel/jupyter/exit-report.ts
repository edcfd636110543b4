import { type Resistance, sayResistance } from "../insist.ts";
import type { ExitReport } from "../kernel.ts";
import type { ProcessExit } from "./kernel-process.ts";
import { withoutControlSequences } from "./messages/control-sequences.ts";

/**
 * The kernel ended by itself; or we ended it: by `close`, because a cell resisted an interrupt or could not begin, or
 * because of trouble, which is a sentence.
 */
export type JupyterEnd = "itself" | "close" | "no beginning" | Resistance | { readonly trouble: string };

interface Ending {
  readonly exit: ProcessExit;
  readonly endedBy: JupyterEnd;
  readonly graceMs: number;
  readonly lastStderr: string;
}

/** The end of a kernel, in one sentence and in fields. */
export function jupyterExitReport(ending: Ending): ExitReport {
  const { exit, endedBy } = ending;
  const lastStderr = withoutControlSequences(ending.lastStderr);
  const stack = crashStack(lastStderr);
  return {
    expected: endedBy === "close",
    byItself: endedBy === "itself",
    exitCode: exit.exitCode,
    signal: exit.signal,
    lastStderr,
    stack,
    summary: summary(ending, stack),
  };
}

function summary({ exit, endedBy, graceMs }: Ending, stack: string | null): string {
  const { exitCode, signal, reason } = exit;
  if (endedBy === "close") return "The kernel was closed.";
  if (endedBy === "no beginning") {
    return `The kernel did not begin the cell within ${graceMs / 1000} s of an interrupt, so ${reason ?? "it was ended. A thread of an earlier cell may have held the interpreter lock."}`;
  }
  if (typeof endedBy === "object") return endedBy.trouble;
  if (endedBy !== "itself") return `${sayResistance(endedBy, graceMs)}, so ${reason ?? "the kernel was ended."}`;
  if (reason !== undefined) return reason;
  if (signal === "SIGKILL")
    return "The kernel was killed (SIGKILL): by another process, or by the system for lack of memory.";
  if (signal === "SIGTERM") return "The kernel was ended from outside (SIGTERM).";
  if (signal) return `The kernel crashed (${signal}${stack ? `, at ${topFrame(stack)}` : ""}).`;
  return exitCode === null ? "The kernel has ended." : `The kernel ended itself with exit code ${exitCode}.`;
}

/** The report of Python's `faulthandler`: the thread at fault, down to where IPython called the cell. */
function crashStack(stderr: string): string | null {
  const lines = stderr.split("\n");
  const from = lines.findLastIndex((line) => line.startsWith("Current thread"));
  if (from < 0) return null;
  const thread = lines.slice(from);
  const end = thread.findIndex((line) => line.trim() === "" || /[/\\](IPython|ipykernel)[/\\]/.test(line));
  return thread.slice(0, end < 0 ? undefined : end).join("\n");
}

function topFrame(stack: string): string {
  return /File .*/.exec(stack)?.[0] ?? "an unknown place";
}
