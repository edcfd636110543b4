import { endsWithin } from "../../support/process-group.ts";
import type { Conversation } from "./conversation.ts";
import type { JupyterCell } from "./jupyter-cell.ts";
import type { KernelProcess } from "./kernel-process.ts";

/** A signal that comes right before a call that blocks is noticed only when something wakes that call. */
const wakeAfterMs = [50, 150, 400, 1000];
/** When one interrupt has had no effect for so much of the grace period, there is nothing to lose by another. */
const secondAttempt = 0.8;

/**
 * Interrupts a cell and waits for its end; false when it has not ended within the grace period. Delivered once, since a
 * second interrupt would hit the clean-up after the first; only shortly before the kernel would be ended, once more.
 */
export async function interruptCell(
  cell: JupyterCell,
  process: KernelProcess,
  conversation: Conversation,
  graceMs: number,
): Promise<boolean> {
  const since = Date.now();
  const triesAgainAt = graceMs * secondAttempt;
  const endsBefore = (ms: number): Promise<boolean> => endsWithin(cell.over, ms - (Date.now() - since));
  const isRunning = await endsWithin(Promise.race([cell.listens, cell.over]), graceMs);
  if (cell.hasEnded) return true;
  if (!isRunning) return false;
  cell.interrupted();
  // A server that is too busy to answer is not waited for until it is too late.
  await endsWithin(deliverInterrupt(process, conversation), triesAgainAt);
  for (const pause of wakeAfterMs) {
    if (await endsBefore(Math.min(Date.now() - since + pause, triesAgainAt))) return true;
    conversation.wake();
  }
  if (await endsBefore(triesAgainAt)) return true;
  conversation.send("control", "interrupt_request", {});
  return endsBefore(graceMs);
}

export async function deliverInterrupt({ interrupt }: KernelProcess, conversation: Conversation): Promise<void> {
  const isDelivered = interrupt !== undefined && (await succeeds(interrupt()));
  // Also where a server did not do what it was asked to.
  if (!isDelivered) conversation.send("control", "interrupt_request", {});
  // ipykernel only notes the interrupt of a cell that awaits; it acts on it when something wakes its event loop.
  conversation.send("shell", "kernel_info_request", {});
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
