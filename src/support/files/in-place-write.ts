import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { GranaryError } from "../granary-error.ts";
import { type Pieces, siblingOf, writeAll } from "./atomic-write.ts";
import { takeLock } from "./file-lock.ts";
import { noLink, openRegular } from "./foreign/regular-file.ts";
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
  pieces: Pieces,
  beforeReplacing: (() => void | Promise<void>) | undefined,
): Promise<void> {
  const id = randomBytes(6).toString("hex");
  const copies: Copies = { new: siblingOf(target, `${id}.new`), old: siblingOf(target, `${id}.old`) };
  const draft = siblingOf(target, `${id}.tmp`);
  let isHalfWritten = false;
  try {
    await writeNew(copies.new, pieces);
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

/**
 * For the process that may write the file now: finishes the writes of killed processes. In a folder that others may write,
 * the copies may be anything: only regular files count, no links to files elsewhere.
 */
export async function finishWritesInPlace(target: string): Promise<void> {
  for (const copies of await copiesBeside(target)) {
    // Until both copies exist, the file itself is unchanged.
    if (await isBegun(target, copies).catch(() => false)) await overwrite(target, copies.new);
    await removeCopies(copies);
  }
}

/** An empty file can have any size, and comparing it would take hours. */
const mostBytes = 2 ** 31;

async function isBegun(target: string, copies: Copies): Promise<boolean> {
  await using now = await openRegular(target, constants.O_RDONLY | withoutLinks);
  await using before = await openRegular(copies.old, constants.O_RDONLY | noLink);
  await using after = await openRegular(copies.new, constants.O_RDONLY | noLink);
  const all = await Promise.all([now, before, after].map((file) => file.stat()));
  return all.every(({ size }) => size <= mostBytes) && (await isMixOf(now, before, after));
}

/** Whether a write in place began and did not end. */
export async function isWrittenInPlace(target: string): Promise<boolean> {
  return (await copiesBeside(target)).length > 0;
}

/**
 * Whether a file is partly old and partly new. A file with all the old content, all the new, or anything else, because
 * another program has saved it since, is left alone.
 */
async function isMixOf(now: FileHandle, before: FileHandle, after: FileHandle): Promise<boolean> {
  let [isOld, isNew] = [true, true];
  for (let position = 0; ; position += pieceBytes) {
    const pieces = await Promise.all([now, before, after].map((file) => pieceOf(file, position)));
    const [mixed, old, fresh] = pieces as [Buffer, Buffer, Buffer];
    const [equalsOld, equalsNew] = [mixed.equals(old), mixed.equals(fresh)];
    if (!equalsOld && !equalsNew && !isMixOfPieces(mixed, old, fresh)) return false;
    isOld &&= equalsOld;
    isNew &&= equalsNew;
    if (pieces.every(({ length }) => length < pieceBytes)) return !isOld && !isNew;
  }
}

function isMixOfPieces(mixed: Buffer, old: Buffer, fresh: Buffer): boolean {
  if (mixed.length > Math.max(old.length, fresh.length)) return false;
  // Where the file was shorter before, a system crash may have left zeros.
  return mixed.every((byte, at) => byte === fresh[at] || byte === (old[at] ?? 0));
}

/** Only so much of each file is in memory. */
const pieceBytes = 1024 * 1024;

/** Shorter only at the end of the file. */
async function pieceOf(file: FileHandle, position: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let length = 0; ; ) {
    const { bytesRead } = await file.read(piece, length, pieceBytes - length, position + length);
    length += bytesRead;
    if (bytesRead === 0 || length === pieceBytes) return piece.subarray(0, length);
  }
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

/** Copies byte by byte, because `copyFile` may replace the file by another. */
async function overwrite(target: string, source: string): Promise<void> {
  await using from = await openRegular(source, constants.O_RDONLY | noLink);
  await using to = await openRegular(target, constants.O_RDWR | withoutLinks);
  await fill(to, async () => {
    for (let position = 0; ; position += pieceBytes) {
      const piece = await pieceOf(from, position);
      await writeFully(to, piece, position);
      if (piece.length < pieceBytes) return position + piece.length;
    }
  });
}

async function writeFully(file: FileHandle, piece: Buffer, position: number): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    at += (await file.write(piece, at, piece.length - at, position + at)).bytesWritten;
  }
}

async function writeNew(path: string, pieces: Pieces): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await fill(file, () => writeAll(file, pieces));
}

/** @param write writes all, from the beginning, and returns the number of bytes */
async function fill(file: FileHandle, write: () => Promise<number>): Promise<void> {
  const { mode } = await file.stat();
  await file.truncate(await write());
  // Linux clears setuid and setgid when a user other than root writes a file.
  if ((await file.stat()).mode !== mode) await file.chmod(mode & 0o7777).catch(() => {});
  await file.sync();
}

/** A copy of the old content is complete once it exists, and the copy of the new content was complete before. */
async function copyCompletely(target: string, copy: string, draft: string): Promise<void> {
  await using file = await openRegular(target, constants.O_RDONLY | withoutLinks);
  await writeNew(draft, [await file.readFile()]);
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
