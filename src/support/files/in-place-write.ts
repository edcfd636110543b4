import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { GranaryError } from "../granary-error.ts";
import { siblingOf, writeAll } from "./atomic-write.ts";
import { takeLock } from "./file-lock.ts";
import { withoutLinks } from "./held-file.ts";

/** Longer than any file takes to write. */
const timeoutMs = 60_000;

/**
 * Replaces the content of a file with several names (hard links) under all of them. A rename would leave the other names with
 * the old content. The price: a reader may see a part of it. To lose nothing, both contents are kept in
 * copies beside the file during the write: after a failure the old one is restored, and after a crash
 * `finishWritesInPlace` continues.
 */
export async function writeInPlace(
  target: string,
  pieces: Iterable<Uint8Array>,
  beforeReplacing: (() => void | Promise<void>) | undefined,
): Promise<void> {
  const id = randomBytes(6).toString("hex");
  const copies: Copies = { new: siblingOf(target, `${id}.new`), old: siblingOf(target, `${id}.old`) };
  const draft = siblingOf(target, `${id}.tmp`);
  let isHalfWritten = false;
  try {
    await write(copies.new, "wx", pieces);
    await whileAlone(target, async () => {
      await beforeReplacing?.();
      await copyCompletely(target, copies.old, draft);
      try {
        await overwrite(target, copies.new);
      } catch (error) {
        await overwrite(target, copies.old).catch(() => {
          isHalfWritten = true;
        });
        throw isHalfWritten ? halfWritten(target, copies, error) : error;
      }
    });
  } finally {
    await rm(draft, { force: true });
    if (!isHalfWritten) await removeCopies(copies);
  }
}

/** Neither the new content nor the old one is complete in the file. The copies stay. */
function halfWritten(target: string, copies: Copies, cause: unknown): GranaryError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new GranaryError(
    "half-written",
    `${target} could be written only in part (${reason}). The old content is in ${copies.old}, the new content in ${copies.new}.`,
    { details: { path: target, ...copies }, cause },
  );
}

interface Copies {
  readonly new: string;
  readonly old: string;
}

/** For the process that may write the file now: finishes the writes of killed processes. */
export async function finishWritesInPlace(target: string): Promise<void> {
  for (const copies of await copiesBeside(target)) {
    const [now, before, after] = await Promise.all([target, copies.old, copies.new].map(contentOf));
    // Until both copies exist, the file itself is unchanged.
    const isBegun = now && before && after && isMixOf(now, before, after);
    if (isBegun) await overwrite(target, copies.new);
    await removeCopies(copies);
  }
}

/** Whether a write in place began and did not end. */
export async function isWrittenInPlace(target: string): Promise<boolean> {
  return (await copiesBeside(target)).length > 0;
}

/**
 * Whether a file is partly old and partly new. A file with all the old content, all the new, or anything else, because
 * another program has saved it since, is left alone.
 */
function isMixOf(now: Buffer, before: Buffer, after: Buffer): boolean {
  if (now.equals(before) || now.equals(after)) return false;
  if (now.length > Math.max(before.length, after.length)) return false;
  // Where the file was shorter before, a system crash may have left zeros.
  return now.every((byte, at) => byte === after[at] || byte === (before[at] ?? 0));
}

async function copiesBeside(target: string): Promise<readonly Copies[]> {
  const folder = dirname(target);
  const prefix = basename(siblingOf(target, ""));
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const ids = found.flatMap((suffix) => /^([0-9a-f]{12})\.(?:new|old)$/.exec(suffix)?.[1] ?? []);
  return [...new Set(ids)].map((id) => ({
    new: join(folder, `${prefix}${id}.new`),
    old: join(folder, `${prefix}${id}.old`),
  }));
}

async function removeCopies(copies: Copies): Promise<void> {
  // In a folder that others may write to, another user's copy stays.
  await Promise.allSettled([rm(copies.new, { force: true }), rm(copies.old, { force: true })]);
}

async function contentOf(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null);
}

/** Copies byte by byte, because `copyFile` may replace the file by another. */
async function overwrite(target: string, source: string): Promise<void> {
  await write(target, constants.O_RDWR | withoutLinks, [await readFile(source)]);
}

async function write(path: string, flags: "wx" | number, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    const { mode } = await file.stat();
    await file.truncate(await writeAll(file, pieces));
    // Linux clears setuid and setgid when a user other than root writes a file.
    if ((await file.stat()).mode !== mode) await file.chmod(mode & 0o7777).catch(() => {});
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A copy of the old content is complete once it exists, and the copy of the new content was complete before. */
async function copyCompletely(target: string, copy: string, draft: string): Promise<void> {
  const file = await open(target, constants.O_RDONLY | withoutLinks);
  const content = await file.readFile().finally(() => file.close());
  await write(draft, "wx", [content]);
  await rename(draft, copy);
}

/** A lock beside a file has that file's name. This one is the same for all names. */
async function whileAlone(target: string, work: () => Promise<void>): Promise<void> {
  const { dev, ino } = await lstat(target, { bigint: true });
  const path = join(tmpdir(), `granary-file-${dev}-${ino}.lock`);
  const lock = await takeLock(path, { timeoutMs, mode: 0o644 }).catch(() => null);
  try {
    await work();
  } finally {
    await lock?.release();
  }
}
