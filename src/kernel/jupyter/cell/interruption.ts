import { type Deferred, deferred } from "../../../support/deferred.ts";
import { endsWithin } from "../../../support/process/process-group.ts";
import { insist, type Resistance } from "../../insist.ts";
import type { Conversation } from "../conversation.ts";
import type { KernelProcess } from "../kernel-process.ts";
import type { JupyterCell } from "./jupyter-cell.ts";

/** A signal right before a blocking call is noticed only when something wakes that call. The last pause repeats. */
const wakeAfterMs = [50, 150, 400, 1000] as const;
/** After so much of the grace period without a reaction, a second signal can do no harm. */
const secondSignal = 0.8;

/** Interrupts a cell until it ends; null when it has ended, otherwise the reason why the kernel must be ended. */
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
  // Also where a server ignored the request.
  if (!isDelivered) conversation.send("control", "interrupt_request", {});
  // ipykernel only notes the interrupt of a cell that awaits, and acts when something wakes its event loop.
  conversation.send("shell", "kernel_info_request", {});
}

/** The signal itself, and a second one after a while; without house rules, a kernel shows no reaction but the end of the cell. */
async function deliverFirst(
  process: KernelProcess,
  conversation: Conversation,
  secondAfterMs: number,
  signs: readonly Promise<void>[],
): Promise<void> {
  void endsWithin(Promise.race(signs), secondAfterMs).then((isSeen) => {
    if (!isSeen) conversation.send("control", "interrupt_request", {});
  });
  // Do not wait too long for a server that is too busy to answer.
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
