import { constants } from "node:os";
import { KernelError } from "../../../kernel/errors.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";

export interface ProgramExit {
  readonly status: number;
  readonly sentence: string;
}

/** How Python ended in the middle of a program: as after `os._exit()`, or as a shell reports a signal. Null when it did not. */
export function programExit({ failure }: ExecutionResult): ProgramExit | null {
  const exit = failure?.cause instanceof KernelError ? failure.cause.details.exit : undefined;
  if (exit === undefined || !exit.byItself) return null;
  const status = exit.signal === null ? exit.exitCode : 128 + constants.signals[exit.signal];
  return status === null ? null : { status, sentence: exit.summary };
}
