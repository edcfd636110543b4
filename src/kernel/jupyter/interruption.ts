import { endsWithin } from "../../support/process-group.ts";
import type { Conversation } from "./conversation.ts";
import type { JupyterCell } from "./jupyter-cell.ts";
import type { KernelProcess } from "./kernel-process.ts";

/**
 * Interrupts a cell and waits for its end; false when it has not ended within the grace period. Delivered once, since a
 * second interrupt would hit the clean-up after the first.
 */
export async function interruptCell(
  cell: JupyterCell,
  process: KernelProcess,
  conversation: Conversation,
  graceMs: number,
): Promise<boolean> {
  const since = Date.now();
  const isRunning = await endsWithin(Promise.race([cell.listens, cell.over]), graceMs);
  if (cell.hasEnded) return true;
  if (!isRunning) return false;
  cell.interrupted();
  await deliverInterrupt(process, conversation);
  return endsWithin(cell.over, graceMs - (Date.now() - since));
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
