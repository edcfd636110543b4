import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { openRegular } from "../../support/files/foreign/regular-file.ts";

/** A file changed this recently may change again without a new modification time. */
const restMs = 100;
const wholeSecond = 1_000_000_000n;

/** An edit takes less. After longer work, such as a run, the content is compared again. */
const freshMs = 5000;

/** A file's facts while it was read: as long as they stay the same, so does the content. */
export interface SeenFile {
  readonly stats: BigIntStats;
  /** By the clock of `performance`. */
  readonly at: number;
}

/** Reads a file and remembers its facts; `seen` is null when they changed during the read, or cannot tell the next change. */
export async function whileSeen<T>(
  file: FileHandle,
  read: () => Promise<T>,
): Promise<{ read: T; seen: SeenFile | null }> {
  const stats = await file.stat({ bigint: true });
  const tells = tellsChanges(stats);
  const at = performance.now();
  const result = await read();
  const isSeen = tells && isUntouched(stats, await file.stat({ bigint: true }));
  return { read: result, seen: isSeen ? { stats, at } : null };
}

/** Whether the file was read a moment ago, so that its facts are enough. */
export function wasReadJustNow(seen: SeenFile): boolean {
  return performance.now() - seen.at < freshMs;
}

/** Whether the next change is certain to give the file another time. */
export function tellsChanges({ ctimeMs, ctimeNs }: BigIntStats): boolean {
  const countsWholeSeconds = ctimeNs % wholeSecond === 0n;
  return !countsWholeSeconds && Date.now() - Number(ctimeMs) > restMs;
}

export function isUntouched(then: BigIntStats, now: BigIntStats): boolean {
  return (["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const).every((fact) => then[fact] === now[fact]);
}

/** Opens the file, which makes a network file system ask its server; null when the file cannot be opened. */
export async function currentStats(path: string): Promise<BigIntStats | null> {
  const file = await openRegular(path).catch(() => null);
  try {
    return (await file?.stat({ bigint: true })) ?? null;
  } finally {
    await file?.close();
  }
}
