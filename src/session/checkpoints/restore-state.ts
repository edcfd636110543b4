import type { Kernel } from "../../kernel/kernel.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Succession } from "../kernel-life/succession.ts";
import { sayChange } from "./cell-line.ts";
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
  const id = target.id ?? timeline.before(target)?.id ?? null;
  const reason = sayChange(timeline.changeTo(id));
  // So that this can be undone.
  if (kernel !== null) await timeline.takeNow(kernel, id ?? undefined);
  if (id === null) return kernels.startOver(reason, signal);
  const { cell } = timeline.named(id);
  const next = async (): Promise<Kernel> => {
    const restored = await timeline.restore(id, signal);
    if (restored === null) throw new GranaryError("no-checkpoint", `The checkpoint after cell ${cell} is gone.`);
    return restored;
  };
  await kernels.replace(next, reason);
}

const checkpointsAreOff = "Checkpoints are off. Turn them on with the setting python.checkpoints.";
