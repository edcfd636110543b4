import { type Deferred, deferred } from "../../../support/deferred.ts";
import { endsWithin } from "../../../support/process/process-group.ts";
import { insist, type Resistance } from "../../insist.ts";
import type { Conversation } from "../conversation.ts";
import type { KernelProcess } from "../kernel-process.ts";
import type { JupyterCell } from "./jupyter-cell.ts";

/** A signal that comes right before a call that blocks is noticed only when something wakes that call. The last pause goes on. */
const wakeAfterMs = [50, 150, 400, 1000] as const;
/** When there is no sign of a reaction for so much of the grace period, there is nothing to lose by a second signal. */
const secondSignal = 0.8;

/** Interrupts a cell until it ends; null when it has ended, otherwise the reason for which the kernel must be ended. */
export async function interruptCell(
  cell: JupyterCell,
  process: KernelProcess,
  conversation: Conversation,
  graceMs: number,
): Promise<Resistance | null> {
  const since = Date.now();
  const isRunning = await endsWithin(Promise.race([cell.listens, cell.over]), graceMs);
  if (cell.hasEnded) return null;
  if (!isRunning) return "no reaction";
  cell.interrupted();
  const leftMs = graceMs - (Date.now() - since);
  const interrupt = async (attempt: number): Promise<void> => {
    const reaction = deferred<void>();
    if (attempt === 1) await deliverFirst(process, conversation, leftMs * secondSignal, [cell.over, reaction.promise]);
    else wake(conversation, attempt, reaction);
    void wakeUntilReaction(cell, conversation, attempt, reaction);
    await reaction.promise;
  };
  return insist({ over: cell.over, graceMs: leftMs, interrupt });
}

export async function deliverInterrupt({ interrupt }: KernelProcess, conversation: Conversation): Promise<void> {
  const isDelivered = interrupt !== undefined && (await succeeds(interrupt()));
  // Also where a server did not do what it was asked to.
  if (!isDelivered) conversation.send("control", "interrupt_request", {});
  // ipykernel only notes the interrupt of a cell that awaits; it acts on it when something wakes its event loop.
  conversation.send("shell", "kernel_info_request", {});
}

/** The signal itself, and a second one after a while; a kernel without house rules shows no reaction but the end of the cell. */
async function deliverFirst(
  process: KernelProcess,
  conversation: Conversation,
  secondAfterMs: number,
  signs: readonly Promise<void>[],
): Promise<void> {
  void endsWithin(Promise.race(signs), secondAfterMs).then((isSeen) => {
    if (!isSeen) conversation.send("control", "interrupt_request", {});
  });
  // A server that is too busy to answer is not waited for until it is too late.
  await endsWithin(deliverInterrupt(process, conversation), secondAfterMs);
}

async function wakeUntilReaction(
  cell: JupyterCell,
  conversation: Conversation,
  attempt: number,
  reaction: Deferred<void>,
): Promise<void> {
  const signs = Promise.race([cell.over, reaction.promise]);
  for (let round = 0; ; round++) {
    const pause = wakeAfterMs[Math.min(round, wakeAfterMs.length - 1)] as number;
    if (await endsWithin(signs, pause)) return;
    wake(conversation, attempt, reaction);
  }
}

function wake(conversation: Conversation, attempt: number, reaction: Deferred<void>): void {
  conversation.wake(attempt).then(
    (reactions) => reactions >= attempt && reaction.resolve(),
    () => undefined, // The kernel has ended, and its cell with it.
  );
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
