import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";

/** For `open`: a link in the file's place is refused with ELOOP. The folders above it may be links. */
export const noLink: number = constants.O_NOFOLLOW;

/** A pipe without a writer does not block, and a terminal does not become this process's own. */
const withoutWaiting = constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a file in a folder that others may write: a regular file, or this throws. A pipe would block a thread of
 * Node's pool, which has four, and a device may never end.
 */
export async function openRegular(path: string, flags: number = constants.O_RDONLY): Promise<FileHandle> {
  // Before, because opening some devices has effects; and after, because another program may have replaced the file.
  requireRegular(await (flags & noLink ? lstat : stat)(path), path);
  const file = await open(path, flags | withoutWaiting);
  try {
    requireRegular(await file.stat(), path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Throws as the system does, so that `systemReason` has a reason. */
export function requireRegular(found: Stats, path: string): void {
  if (found.isFile()) return;
  const code = found.isDirectory() ? "EISDIR" : found.isSymbolicLink() ? "ELOOP" : "ENXIO";
  throw Object.assign(new Error(`${code}: not a regular file, open '${path}'`), { code, syscall: "open", path });
}

export interface SmallFileOptions {
  /** A larger file is refused with ERR_FS_FILE_TOO_LARGE. */
  readonly mostBytes?: number;
  /** Whether the file may be a link, as in a home folder that is under version control; true by default. */
  readonly mayBeLink?: boolean;
}

/**
 * The text of a small regular file that a cell may have made, or the author of a repository. Reading it neither blocks on
 * a pipe nor fills the memory with /dev/zero.
 */
export async function readSmallFile(path: string, options: SmallFileOptions = {}): Promise<string> {
  await using file = await openRegular(path, flagsFor(options));
  const text = new SmallText(path, options);
  for (;;) {
    const { room } = text;
    const { bytesRead } = await file.read(room, 0, room.length, null);
    if (!text.take(room, bytesRead)) return text.toString();
  }
}

/** The same for synchronous callers. */
export function readSmallFileSync(path: string, options: SmallFileOptions = {}): string {
  const flags = flagsFor(options);
  requireRegular((flags & noLink ? lstatSync : statSync)(path), path);
  const file = openSync(path, flags | withoutWaiting);
  try {
    requireRegular(fstatSync(file), path);
    const text = new SmallText(path, options);
    for (;;) {
      const { room } = text;
      if (!text.take(room, readSync(file, room, 0, room.length, null))) return text.toString();
    }
  } finally {
    closeSync(file);
  }
}

function flagsFor({ mayBeLink = true }: SmallFileOptions): number {
  return constants.O_RDONLY | (mayBeLink ? 0 : noLink);
}

/** More than any file of settings, lock or list of versions has. */
const usualBytes = 4 * 1024 * 1024;
const usualRoom = 4096;

/** Not by the file's size, which is 0 for generated files, and which others may change. */
class SmallText {
  readonly #path: string;
  readonly #mostBytes: number;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(path: string, { mostBytes = usualBytes }: SmallFileOptions) {
    this.#path = path;
    this.#mostBytes = mostBytes;
  }

  /** Memory for the next piece. */
  get room(): Buffer {
    return Buffer.allocUnsafe(this.#size < usualRoom ? usualRoom : 64 * usualRoom);
  }

  /** @returns whether there may be more */
  take(buffer: Buffer, length: number): boolean {
    this.#size += length;
    if (this.#size > this.#mostBytes) throw tooLarge(this.#path);
    this.#pieces.push(buffer.subarray(0, length));
    return length > 0;
  }

  toString(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}

function tooLarge(path: string): Error {
  const code = "ERR_FS_FILE_TOO_LARGE";
  return Object.assign(new Error(`${code}: ${path} is too large`), { code, syscall: "read", path });
}
