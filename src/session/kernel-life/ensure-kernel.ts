import { KernelError } from "../../kernel/errors.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { isExhaustion } from "../../support/process/exhaustion.ts";
import { sayTimeLimit } from "../../support/say-count.ts";
import type { Succession } from "./succession.ts";

export interface Provision {
  /** Settles when there is room for a kernel; `onWait` is told why that takes a while. */
  admit(signal: AbortSignal, onWait: (reason: string) => void): Promise<void>;
  /** Frees what other sessions hold. */
  makeRoom(): Promise<void>;
  /** How long a start may take, all of its stages together; waiting for room does not count. */
  readonly startMs: number;
}

/** The session's living kernel, or the next one. Throws the signal's reason when that comes first. */
export async function ensureKernel(
  kernels: Succession,
  provision: Provision,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<Kernel> {
  // One that is dead, though it has not been noticed yet.
  if (kernels.kernel?.state === "dead") await kernels.kernel.exited;
  if (kernels.kernel !== null) return kernels.kernel;
  try {
    return await admitAndBegin(kernels, provision, signal, onWait);
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    await provision.makeRoom();
  }
  try {
    return await admitAndBegin(kernels, provision, signal, onWait);
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    throw new GranaryError("exhausted", exhaustionRemedy, { cause: error });
  }
}

/** A session has its place from here until its kernel is gone, or could not be started. */
async function admitAndBegin(
  kernels: Succession,
  provision: Provision,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<Kernel> {
  // The place of a kernel that is on its way out is given to somebody else.
  await kernels.ended;
  await provision.admit(signal, onWait);
  using deadline = deadlineAfter(provision.startMs, signal);
  try {
    return await kernels.begin(deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.hasPassed ? tookTooLong(provision.startMs, error) : error;
  }
}

function tookTooLong(startMs: number, cause: unknown): KernelError {
  const limit = `Python was not ready within ${sayTimeLimit(startMs)} (the setting python.startSeconds).`;
  const detail = cause instanceof KernelError ? ` ${cause.message}` : "";
  return new KernelError("start-timeout", `${limit}${detail}`, { cause });
}

const exhaustionRemedy =
  "Too many files are open. Granary has closed its other Python sessions and tried again. " +
  "Raise the limit with `ulimit -n 4096`, or close what holds files open.";
