import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { holdFile, withoutLinks } from "../../support/files/held-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileProblem, isFolder } from "./file-problem.ts";
import type { NamedFile } from "./named-file.ts";

/** A file opened for reading: `await using file = await openFile(place)`. */
export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly bytes: number;
  /** The first bytes, which tell its kind. */
  readonly beginning: Buffer;
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Null if it has more bytes than that, perhaps because it has grown. */
  whole(mostBytes: number, signal?: AbortSignal): Promise<Buffer | null>;
}

const beginningBytes = 64 * 1024;
const chunkBytes = 256 * 1024;

/**
 * Opens a file, and refuses pipes, devices and the like before: opening alone may block for ever. Where tools are limited to
 * folders, the file's folder is opened first, then checked.
 */
export async function openFile(place: NamedFile): Promise<OpenFile> {
  try {
    await using held = await holdFile(place.real, place.within);
    requireFile(await (place.within === null ? stat : lstat)(held.at), place);
    const handle = await open(held.at, place.within === null ? readOnly : readOnly | withoutLinks);
    try {
      const opened = await handle.stat();
      requireFile(opened, place);
      await held.stillInside();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
      return {
        handle,
        bytes: opened.size,
        beginning: buffer.subarray(0, bytesRead),
        chunks: (signal) => chunksOf(handle, signal),
        whole: async (mostBytes, signal) =>
          opened.size > mostBytes ? null : await allOf(chunksOf(handle, signal), mostBytes),
        [Symbol.asyncDispose]: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    const isLink = place.within !== null && (error as NodeJS.ErrnoException).code === "ELOOP";
    throw isLink ? replacedByLink(place) : await fileProblem(error, place.path);
  }
}

/** A pipe that took the file's place since the check must not block. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK;

function replacedByLink({ path }: NamedFile): GranaryError {
  return new GranaryError("changed-on-disk", `${path} was replaced by a link while it was opened. Try again.`);
}

/** For files that other code opens, whose errors would say less. */
export async function requireOpenable(place: NamedFile): Promise<void> {
  await using _file = await openFile(place);
}

function requireFile(found: Stats, place: NamedFile): void {
  const { path } = place;
  if (found.isDirectory()) throw isFolder(path);
  if (found.isSymbolicLink()) throw replacedByLink(place);
  if (!found.isFile()) throw new GranaryError("not-a-file", `${path} is not a file but a pipe, a socket or a device.`);
}

/** Not by its size, which is 0 for generated files, as in /proc. */
async function* chunksOf(handle: FileHandle, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

async function allOf(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer | null> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    all.push(chunk);
  }
  return Buffer.concat(all);
}
