import { headWithin, tailWithin } from "../../output/text/utf8-cut.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";

/** `30 s`, `12 min`, `3 h 5 min` */
export function sayDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time since an execution began; null before. */
export function soFar({ startedAt }: Execution): string | null {
  return startedAt === null ? null : sayDuration(Date.now() - startedAt);
}

const longestName = 80;

/** Its title, else the first line of its code. */
export function nameOf({ cell }: Execution): string {
  if (cell.title !== undefined) return cell.title;
  const [first = "", ...others] = cell.code.trim().split("\n");
  return first.length > longestName || others.length > 0 ? `${headWithin(first, longestName)} …` : first;
}

const tailBytes = 2048;
const longestLine = 200;

/** The last printed line; null if there is none. */
export function lastLine(execution: Execution): string | null {
  const line = execution.tail(tailBytes).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? null : tailWithin(line, longestLine);
}

/**
 * The note of a result whose work continues.
 * @param position of what the result has shown
 */
export function howToFollow({ id, next, startedAt }: Execution, position: number): string {
  const what = startedAt === null ? "It stays in the queue." : "It continues.";
  const whom = next === null ? "it" : "it and the cells after it";
  return (
    `${what} executions {"action": "wait", "id": "${id}", "since": ${position}} waits for ${whom}; ` +
    '"look" shows where it is, "interrupt" stops it.'
  );
}

/** Why an execution has not begun: a sentence. */
export function whyNotBegun(execution: Execution, session: Session): string {
  const before = session.shared.busyWith;
  if (before === null || before === execution) return "Its kernel is being started.";
  const time = soFar(before);
  return `It waits for ${before.id} (${nameOf(before)}${time === null ? "" : `, ${time} so far`}).`;
}
