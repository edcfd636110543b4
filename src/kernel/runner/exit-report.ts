import { type Resistance, sayResistance } from "../insist.ts";
import type { ExitReport } from "../kernel.ts";

/**
 * Python ended by itself; or we ended it: by `close`, because a cell resisted an interrupt or could not begin, because its
 * frames were invalid, or because of trouble, which is a sentence.
 */
export type RunnerEnd = "itself" | "close" | "no beginning" | Resistance | "nonsense" | { readonly trouble: string };

interface Ending {
  readonly endedBy: RunnerEnd;
  readonly graceMs: number;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastStderr: string;
  readonly crashReport: string;
}

/** The end of a runner, in one sentence and in fields. */
export function runnerExitReport(ending: Ending): ExitReport {
  const { endedBy, exitCode, signal, lastStderr } = ending;
  const stack = userStack(ending.crashReport);
  const byItself = endedBy === "itself";
  return {
    expected: endedBy === "close",
    byItself,
    exitCode,
    signal,
    lastStderr,
    stack,
    summary: summary(ending, stack),
  };
}

function summary({ endedBy, graceMs, exitCode, signal }: Ending, stack: string | null): string {
  if (endedBy === "close") return "Python was closed.";
  if (endedBy === "no beginning") {
    return `Python did not begin the cell within ${graceMs / 1000} s of an interrupt, so it was ended. ${whatMayBlock}`;
  }
  if (typeof endedBy === "object") return endedBy.trouble;
  if (endedBy === "nonsense")
    return "Something other than the runner wrote on its private channel, so Python was ended.";
  if (endedBy !== "itself") return `${sayResistance(endedBy, graceMs)}, so Python was ended.`;
  if (signal === "SIGKILL")
    return "Python was killed (SIGKILL): by another process, or by the system for lack of memory.";
  if (signal === "SIGTERM") return "Python was ended from outside (SIGTERM).";
  if (signal) return `Python crashed (${signal}${stack ? `, at ${topFrame(stack)}` : ""}).`;
  if (exitCode === null)
    return "Python ended. Its exit code is unknown, because the process that had forked it is gone or hangs.";
  return `Python ended itself with exit code ${exitCode}.`;
}

/** A guess, because Python itself cannot answer. */
const whatMayBlock = "A thread of an earlier cell may have held the interpreter lock.";

function topFrame(stack: string): string {
  return /File .*/.exec(stack)?.[0] ?? "an unknown place";
}

/** The lines of a `faulthandler` report about the user's code. */
function userStack(report: string): string | null {
  const lines = report.split("\n").filter((line) => !line.includes("granary_runner/"));
  const text = lines.join("\n").trim();
  return text === "" ? null : text;
}
