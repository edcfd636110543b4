import type { BigIntStats } from "node:fs";
import { isContentOf } from "./file-content.ts";
import { currentStats, isUntouched, type SeenFile, tellsChanges, wasReadJustNow } from "./seen-file.ts";

/**
 * Checks whether a file contains exactly these bytes while its successor is being written, because a large file
 * takes a while to read; a file that was read a moment ago is not read again. The returned function says, just before
 * the file is replaced, whether that still holds: true only when the file has not changed since. After false, the caller
 * has to read it again.
 */
export function lookEarly(
  path: string,
  pieces: readonly Buffer[],
  read: SeenFile | null = null,
): () => Promise<boolean> {
  const seen =
    read !== null && wasReadJustNow(read) ? Promise.resolve(read.stats) : look(path, pieces).catch(() => null);
  return async () => {
    const then = await seen;
    const now = await currentStats(path);
    return then !== null && now !== null && isUntouched(then, now);
  };
}

async function look(path: string, pieces: readonly Buffer[]): Promise<BigIntStats | null> {
  const stats = await currentStats(path);
  if (stats === null || !tellsChanges(stats)) return null;
  return (await isContentOf(path, pieces)) ? stats : null;
}
