import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface Age {
  readonly olderThanDays: number;
  /** In milliseconds since 1970. */
  readonly now?: number;
}

/** Files last written before this moment are older than so many days. */
export function lastWrittenBefore({ olderThanDays, now = Date.now() }: Age): number {
  return now - olderThanDays * 24 * 60 * 60 * 1000;
}

/**
 * Removes old files of a folder, but not its folders and links. For a folder
 * of Granary's own, such as that of pictures. Skips files that cannot be removed: the next call may succeed.
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
