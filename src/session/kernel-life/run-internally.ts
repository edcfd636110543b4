import { KernelError } from "../../kernel/errors.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { ModuleProblem } from "../bootstrap/module-failure.ts";

/** Runs code of ours, of which nobody sees anything; returns what it raised. `doing` is for the sentence when it fails. */
export async function runInternally(
  kernel: Kernel,
  code: string,
  signal: AbortSignal,
  doing: string,
): Promise<ModuleProblem | undefined> {
  let problem: ModuleProblem | undefined;
  try {
    if (!signal.aborted) {
      for await (const event of kernel.execute(code, { internal: true, signal })) {
        if (event.type === "error") problem = event;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw diedWhile(doing, error);
  }
  if (signal.aborted) throw tookTooLong(doing, signal);
  return problem;
}

function diedWhile(doing: string, error: unknown): unknown {
  if (!(error instanceof KernelError) || error.code !== "kernel-died") return error;
  return new KernelError("start-failed", `Python ended while it was ${doing}. ${error.message}`, {
    details: error.details,
    cause: error,
  });
}

function tookTooLong(doing: string, signal: AbortSignal): KernelError {
  const sentence = `Python did not start in time: it was still ${doing}. Give it more time, or less to do.`;
  return new KernelError("start-timeout", sentence, { cause: signal.reason });
}
