import type { KernelError } from "../../kernel/errors.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { sayTimeLimit } from "../../support/say-count.ts";

/** What people are told when a run did not go as they thought; the first two are the documented words. */

export function timedOut(timeoutMs: number, hasBegun = true): string {
  return `Command timed out after ${sayTimeLimit(timeoutMs)}${hasBegun ? "" : ", before the cell could begin"}`;
}

export const othersFirst = "The kernel runs a cell of another client first.";

export function tooManyRestarts(death: KernelError): GranaryError {
  const sentence = `Python kernel restarted too many times in this session: ${death.message}`;
  return new GranaryError("too-many-restarts", sentence, { cause: death });
}

export function hitLimit(hardLimitMs: number): string {
  return `${timedOut(hardLimitMs)}, the longest that a cell may run in the background (python.backgroundHours)`;
}

export function ranTwice(death: KernelError): string {
  return (
    `${death.message} The cell is run once more, in a fresh kernel: ` +
    "what it had already done outside of Python is done twice, and the variables of earlier cells are gone."
  );
}
