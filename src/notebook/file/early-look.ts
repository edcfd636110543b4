import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { isContentOf } from "./file-content.ts";

/** A file changed this recently may change again without a new modification time. */
const restMs = 100;
const wholeSecond = 1_000_000_000n;

/**
 * Checks whether a file contains exactly these bytes while its successor is being written, because a large file
 * takes a while to read. The returned function says, just before the file is replaced, whether that still holds:
 * true only when the file has not changed since. After false, the caller has to read it again.
 */
export function lookEarly(path: string, pieces: readonly Buffer[]): () => Promise<boolean> {
  const seen = look(path, pieces).catch(() => null);
  return async () => {
    const then = await seen;
    const now = await statOf(path);
    return then !== null && now !== null && isUntouched(then, now);
  };
}

async function look(path: string, pieces: readonly Buffer[]): Promise<BigIntStats | null> {
  const stats = await statOf(path);
  if (stats === null || !tellsChanges(stats)) return null;
  return (await isContentOf(path, pieces)) ? stats : null;
}

/** Whether the next change is certain to give the file another time. */
function tellsChanges({ ctimeMs, ctimeNs }: BigIntStats): boolean {
  const countsWholeSeconds = ctimeNs % wholeSecond === 0n;
  return !countsWholeSeconds && Date.now() - Number(ctimeMs) > restMs;
}

function isUntouched(then: BigIntStats, now: BigIntStats): boolean {
  return (["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const).every((fact) => then[fact] === now[fact]);
}

async function statOf(path: string): Promise<BigIntStats | null> {
  return stat(path, { bigint: true }).catch(() => null);
}
