import { endsWithin } from "../../support/process-group.ts";
import type { Conversation } from "./conversation.ts";
import type { JupyterCell } from "./jupyter-cell.ts";
import type { KernelProcess } from "./kernel-process.ts";

/**
 * Interrupts a cell and waits for its end; false when it has not ended within the grace period. Delivered once, since a
 * second interrupt would hit the clean-up after the first; only a server's may be followed by a message.
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
  const rest = graceMs - (Date.now() - since);
  if (!process.remote) return endsWithin(cell.over, rest);
  if (await endsWithin(cell.over, rest / 2)) return true;
  conversation.send("control", "interrupt_request", {});
  return endsWithin(cell.over, rest / 2);
}

export async function deliverInterrupt({ interrupt }: KernelProcess, conversation: Conversation): Promise<void> {
  // A server that does not answer: the message that follows, or the end of the grace period, settles it.
  if (interrupt) await interrupt().catch(() => undefined);
  else conversation.send("control", "interrupt_request", {});
  // ipykernel only notes the interrupt of a cell that awaits; it acts on it when something wakes its event loop.
  conversation.send("shell", "kernel_info_request", {});
}
