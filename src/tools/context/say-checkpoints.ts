import type { Checkpoint } from "../../session/checkpoints/timeline.ts";
import { sayAge } from "../../support/say-time.ts";

/** `checkpoints: after cell 3 (2 min ago, 12 MB), after cell 4 (run-7, undone, 5 s ago)`; null without any. */
export function sayCheckpoints(checkpoints: readonly Checkpoint[], now = Date.now()): string | null {
  if (checkpoints.length === 0) return null;
  const each = checkpoints.map(({ cell, takenAt, heldBytes, execution, isUndone }) => {
    const held = heldBytes === null ? "" : `, ${Math.round(heldBytes / 1e6)} MB`;
    const undone = isUndone ? `${execution}, undone, ` : "";
    return `after cell ${cell} (${undone}${sayAge(now - takenAt)} ago${held})`;
  });
  return `checkpoints: ${each.join(", ")}`;
}
