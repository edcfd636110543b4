import { constants } from "node:os";
import { escapeOwnForms } from "../../output/own-lines.ts";
import type { BashDetails } from "../definition/details.ts";

/** A call of `bash`, as a model reads it: the verdict if it failed, the output, the notes. */
export function bashText({ output: printed, notices, ...ended }: BashDetails): string {
  const output = escapeOwnForms(printed, ended.truncation);
  const problem = problemOf(ended);
  const shown = output === "" && problem === null ? "(no output)" : output.replace(/\n$/, "");
  const parts = [
    problem === null ? "" : `Error: ${problem}`,
    shown,
    notices.map((notice) => `Note: ${notice}`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

type Ended = Pick<BashDetails, "status" | "exitCode" | "signal">;

/** Null when there is none. */
function problemOf({ status, exitCode, signal }: Ended): string | null {
  switch (status) {
    case "running":
    case "complete":
      return null;
    case "timeout":
      return "The command reached its hard limit and was ended, with what it had started, unless by setsid.";
    case "cancelled":
      return "The command was cancelled and ended, with what it had started, unless by setsid.";
    case "error":
      return signal === null
        ? `The command ended with exit code ${exitCode}${perhapsSignal(exitCode)}.`
        : `The command was ended by ${signal}.`;
  }
}

/** A shell uses such a code for a program that a signal ended; but a program may also choose the number itself. */
function perhapsSignal(exitCode: number | null): string {
  const number = (exitCode ?? 0) - 128;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name === undefined ? "" : `, as after ${name}`;
}
