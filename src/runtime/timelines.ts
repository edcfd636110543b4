import { type CheckpointSettings, type CreateTimeline, Timeline } from "../session/checkpoints/timeline.ts";
import type { Settings } from "../settings/settings.ts";
import { isMemoryShort } from "../support/process/available-memory.ts";

/** A look reads several files, which costs more than the rest of a short cell. */
const lookEveryMs = 500;
let last = { percent: 0, at: Number.NEGATIVE_INFINITY, isShort: false };

function wasMemoryShort(percent: number): boolean {
  const now = performance.now();
  if (last.percent !== percent || now - last.at > lookEveryMs)
    last = { percent, at: now, isShort: isMemoryShort(percent) };
  return last.isShort;
}

/** How sessions make checkpoints, with the settings of the moment. Loaded only where they are wanted. */
export function timelines(python: () => Settings["python"], platform = process.platform): CreateTimeline {
  return (owner) => new Timeline(() => checkpointSettings(python(), platform), owner);
}

function checkpointSettings(
  { checkpoints, checkpointCopies: copies, checkpointMemoryMb, lowMemoryPercent }: Settings["python"],
  platform: NodeJS.Platform,
): CheckpointSettings {
  // macOS can fork, but its libraries do not promise to survive it.
  const works = platform === "linux" || (checkpoints === "always" && platform !== "win32");
  return {
    mode: works ? checkpoints : "off",
    copies,
    memoryBytes: checkpointMemoryMb * 1_000_000,
    isMemoryShort: () => wasMemoryShort(lowMemoryPercent),
  };
}
