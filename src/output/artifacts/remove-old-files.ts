import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface Age {
  readonly olderThanDays: number;
  /** In milliseconds since 1970. */
  readonly now?: number;
}

/** A file that was last written to before this moment is older than that. */
export function lastWrittenBefore({ olderThanDays, now = Date.now() }: Age): number {
  return now - olderThanDays * 24 * 60 * 60 * 1000;
}

/**
 * Removes the files of a folder that nobody has written to for so long; folders in it, and links, stay. For a folder
 * that is Granary's own, such as the one with pictures. What cannot be removed stays: the next time may do better.
 */
export async function removeOldFiles(folder: string, age: Age): Promise<void> {
  const moment = lastWrittenBefore(age);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const file = await lstat(path).catch(() => null);
    if (file !== null && file.mtimeMs < moment) await rm(path, { force: true }).catch(() => undefined);
  }
}
