import type { Kernel } from "../../kernel/kernel.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Succession } from "../kernel-life/succession.ts";
import { sayChange } from "./cell-line.ts";
import type { RestoreTarget, Timeline } from "./timeline.ts";

/**
 * Puts the kernel of an earlier state in place of the present one, whose state can be restored in turn.
 * @returns what to say where nothing was to be done
 */
export async function restoreState(
  kernels: Succession,
  timeline: Timeline | null,
  target: RestoreTarget,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (timeline === null || timeline.isOff) throw new GranaryError("no-checkpoint", checkpointsAreOff);
  const { kernel } = kernels;
  await timeline.settled();
  if (timeline.isThere(target)) return [sayAlready(timeline.cell)];
  // Before the present kernel ends.
  const id = target.id ?? timeline.before(target)?.id ?? null;
  const reason = sayChange(timeline.changeTo(id));
  // So that this can be undone.
  if (kernel !== null) await timeline.takeNow(kernel, id ?? undefined);
  if (id === null) {
    await kernels.startOver(reason, signal);
    return [];
  }
  const { cell } = timeline.named(id);
  const next = async (): Promise<Kernel> => {
    const restored = await timeline.restore(id, signal);
    if (restored === null) throw new GranaryError("no-checkpoint", `The checkpoint after cell ${cell} is gone.`);
    return restored;
  };
  await kernels.replace(next, reason);
  return [];
}

function sayAlready(cell: number): string {
  return `Variables are already as they were ${cell === 0 ? "before the first cell" : `after cell ${cell}`}.`;
}

const checkpointsAreOff = "Checkpoints are off. Turn them on with the setting python.checkpoints.";
