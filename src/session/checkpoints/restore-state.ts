import type { Kernel } from "../../kernel/kernel.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Succession } from "../kernel-life/succession.ts";
import type { RestoreTarget, Timeline } from "./timeline.ts";

/** Puts the kernel of an earlier state in place of the present one, whose state can be restored in turn. */
export async function restoreState(
  kernels: Succession,
  timeline: Timeline | null,
  target: RestoreTarget,
  signal: AbortSignal,
): Promise<void> {
  if (timeline === null || timeline.isOff) throw new GranaryError("no-checkpoint", checkpointsAreOff);
  const { kernel } = kernels;
  await timeline.settled();
  // Before the present kernel ends.
  const { id } = target.id === undefined ? timeline.before(target.cell) : timeline.named(target.id);
  // So that this can be undone.
  if (kernel !== null) await timeline.takeNow(kernel, id);
  const all = timeline.checkpoints;
  const { cell } = timeline.named(id);
  const current = all.find(({ isCurrent }) => isCurrent)?.cell;
  const next = async (): Promise<Kernel> => {
    const restored = await timeline.restore(id, signal);
    if (restored === null) throw new GranaryError("no-checkpoint", `The checkpoint after cell ${cell} is gone.`);
    return restored;
  };
  await kernels.replace(next, whyRestored(cell, current));
}

const checkpointsAreOff = "Checkpoints are off. Turn them on with the setting python.checkpoints.";

/** `Cells 4 to 6 were undone.` */
function whyRestored(cell: number, current: number | undefined): string {
  if (current === undefined || current <= cell) return "Another state was restored.";
  return current === cell + 1 ? `Cell ${current} was undone.` : `Cells ${cell + 1} to ${current} were undone.`;
}
