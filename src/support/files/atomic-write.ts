import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { noLink, openRegular } from "./foreign/regular-file.ts";
import { targetOfLinks } from "./held-file.ts";

export interface AtomicWriteOptions {
  /** The mode of a new file. */
  readonly mode?: number;
  /** Called right before the replacement; if it throws, the old file stays. */
  readonly beforeReplacing?: () => void | Promise<void>;
}

/** A piece must keep its bytes until the second piece after it is asked for: then it is written. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const writeBytes = 4 * 1024 * 1024;
const syncBytes = 16 * 1024 * 1024;

/**
 * Writes a file so that a reader, or a crash at any moment, sees either the old content or the new, never a
 * part. An existing file keeps its permissions, and a symbolic link stays one; `mode` is for a new file. A file with
 * several names keeps them all, so it has to be written in place.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array | Pieces,
  { mode = 0o666, beforeReplacing }: AtomicWriteOptions = {},
): Promise<void> {
  const target = await targetOfLinks(path);
  const found = await lstat(target).catch(() => null);
  const existing = found?.isFile() ? found : null;
  if (existing !== null && existing.nlink > 1) {
    const { writeInPlace } = await import("./in-place-write.ts");
    return writeInPlace(target, piecesOf(content), beforeReplacing);
  }
  // Beside the target, because a rename is atomic only within one file system.
  const draft = siblingOf(target, `${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      // Not through `open`, whose mode the umask would narrow.
      if (existing !== null) await keepOwnerAndMode(file, existing);
      await writeAll(file, piecesOf(content));
    } finally {
      await file.close();
    }
    await beforeReplacing?.();
    await replace(target, draft, existing);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes the drafts of killed processes. Only for the process that may write the file now. */
export async function removeDrafts(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = basename(siblingOf(target, ""));
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter(
    (name) => name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)),
  );
  // In a folder that others may write to, another user's draft stays.
  await Promise.allSettled(drafts.map((name) => rm(join(folder, name), { force: true })));
}

/** A hidden file beside another: `.analysis.ipynb.lock`. */
export function siblingOf(target: string, suffix: string): string {
  const name = basename(target);
  const isLong = Buffer.byteLength(name) > longestName;
  const stem = isLong ? createHash("sha256").update(name).digest("hex").slice(0, 32) : name;
  return join(dirname(target), `.${stem}.${suffix}`);
}

/** Names end at 255 bytes nearly everywhere. */
const longestName = 200;

function piecesOf(content: string | Uint8Array | Pieces): Pieces {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/**
 * Writes a new file. Not `writeFile`, which splits a large piece into a hundred small ones. One write waits while another is at work,
 * so the system never waits for us.
 * @returns the number of bytes
 */
export async function writeAll(file: FileHandle, pieces: Pieces): Promise<number> {
  const writes = new Set<Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  let unsynced = 0;
  let total = 0;
  const begin = (work: Promise<void>) => {
    // Its error is reported below.
    work.catch(() => {});
    writes.add(work);
    return work;
  };
  try {
    for await (const piece of pieces) {
      const before = last;
      last = begin(writePiece(file, piece, total));
      total += piece.length;
      unsynced += piece.length;
      await before;
      if (unsynced < syncBytes) continue;
      // Start the disk on the first part while the rest is being written.
      begin(last.then(() => file.datasync()));
      unsynced = 0;
    }
    begin(Promise.all(writes).then(() => file.sync()));
  } finally {
    // No write may be pending when the file is closed.
    await Promise.allSettled(writes);
  }
  await Promise.all(writes);
  return total;
}

async function writePiece(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < piece.length; ) {
    const length = Math.min(writeBytes, piece.length - at);
    at += (await file.write(piece, at, length, position + at)).bytesWritten;
  }
}

/** Freeing a large file takes the system a while, and happens when its last descriptor closes: later, not now. */
async function replace(target: string, draft: string, existing: Stats | null): Promise<void> {
  const isLarge = existing !== null && existing.size >= syncBytes;
  const old = isLarge ? await openRegular(target, constants.O_RDONLY | noLink).catch(() => null) : null;
  try {
    await rename(draft, target);
  } finally {
    void old?.close().catch(() => {});
  }
}

/** Root can write other users' files; a save must not change a file's owner to root. */
async function keepOwnerAndMode(file: FileHandle, existing: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    await file.chown(existing.uid, existing.gid).catch(() => {});
  }
  await file.chmod(existing.mode & 0o7777);
}
