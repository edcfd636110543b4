import { type CheckpointSettings, type CreateTimeline, Timeline } from "../session/checkpoints/timeline.ts";
import type { Settings } from "../settings/settings.ts";
import { isMemoryShort } from "../support/process/available-memory.ts";

/** How sessions make checkpoints; undefined where they cannot. Loaded only where they are wanted. */
export function timelines(
  { checkpointCopies: copies, checkpointMemoryMb, lowMemoryPercent }: Settings["python"],
  mode: CheckpointSettings["mode"],
  platform = process.platform,
): CreateTimeline | undefined {
  // macOS can fork, but its libraries do not promise to survive it.
  const works = platform === "linux" || (mode === "always" && platform !== "win32");
  if (!works) return undefined;
  const settings = { mode, copies, memoryBytes: checkpointMemoryMb * 1_000_000 };
  return (owner) => new Timeline({ ...settings, isMemoryShort: () => isMemoryShort(lowMemoryPercent) }, owner);
}
