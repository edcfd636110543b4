import { createHash, randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface AtomicWriteOptions {
  /** For a new file. */
  readonly mode?: number;
  /** The last chance to look at the old file; by throwing, it stays. */
  readonly beforeReplacing?: () => void | Promise<void>;
}

const writeBytes = 4 * 1024 * 1024;
const syncBytes = 16 * 1024 * 1024;

/**
 * Writes a file so that a reader, or a crash at any moment, sees either the old content or the new, never a
 * part. An existing file keeps its permissions, and a symbolic link stays one; `mode` is for a new file. A file that has
 * several names keeps them all, for which it has to be written in place.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  { mode = 0o666, beforeReplacing }: AtomicWriteOptions = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch(() => null);
  if (existing?.isFile() && existing.nlink > 1) {
    const { writeInPlace } = await import("./in-place-write.ts");
    return writeInPlace(target, piecesOf(content), beforeReplacing);
  }
  // Beside the target, because a rename is atomic only within one file system.
  const draft = siblingOf(target, `${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      // Not left to `open`, whose mode the umask would narrow.
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

/** Removes what processes that were killed have left of their writing. Only for the one that may write the file now. */
export async function removeDrafts(target: string): Promise<void> {
  const folder = dirname(target);
  const prefix = basename(siblingOf(target, ""));
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter(
    (name) => name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length)),
  );
  // In a folder that others may write to, a draft of another user stays.
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

function piecesOf(content: string | Uint8Array | Iterable<Uint8Array>): Iterable<Uint8Array> {
  if (typeof content === "string") return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}

/**
 * Not `writeFile`, which hands a large piece over in a hundred small ones.
 * @returns how many bytes there were
 */
export async function writeAll(file: FileHandle, pieces: Iterable<Uint8Array>): Promise<number> {
  const syncs: Promise<void>[] = [];
  let unsynced = 0;
  let total = 0;
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; ) {
        const { bytesWritten } = await file.write(piece, at, Math.min(writeBytes, piece.length - at));
        at += bytesWritten;
        total += bytesWritten;
        unsynced += bytesWritten;
        if (unsynced < syncBytes) continue;
        // The disk is at work already while the rest is still being written; what it has to complain about is heard below.
        const sync = file.datasync();
        sync.catch(() => {});
        syncs.push(sync);
        unsynced = 0;
      }
    }
  } finally {
    // None may be left under way when the file is closed.
    await Promise.allSettled(syncs);
  }
  await Promise.all(syncs);
  await file.sync();
  return total;
}

/** The system takes a while to throw a large file away, and does so when the last who has it open closes it: not now. */
async function replace(target: string, draft: string, existing: Stats | null): Promise<void> {
  const isLarge = existing !== null && existing.size >= syncBytes;
  const old = isLarge ? await open(target).catch(() => null) : null;
  try {
    await rename(draft, target);
  } finally {
    void old?.close().catch(() => {});
  }
}

/** Root writes files of others, too; a file must not become root's by being saved. */
async function keepOwnerAndMode(file: FileHandle, existing: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    await file.chown(existing.uid, existing.gid).catch(() => {});
  }
  await file.chmod(existing.mode & 0o7777);
}
