import type { Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
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
  whole(signal?: AbortSignal): Promise<Buffer>;
}

const beginningBytes = 64 * 1024;
const chunkBytes = 256 * 1024;

/** Refuses pipes, devices and the like before opening them: opening alone may block for ever. */
export async function openFile(place: NamedFile): Promise<OpenFile> {
  for (let attempt = 1; ; attempt++) {
    const opened = await openOnce(place, attempt === mostAttempts);
    if (opened !== null) return opened;
  }
}

/** Other processes that write the file replace it, possibly many times a second. */
const mostAttempts = 20;

/** Null when the file was replaced during the open; then try again. */
async function openOnce(place: NamedFile, isLast: boolean): Promise<OpenFile | null> {
  try {
    requireFile(await stat(place.real), place);
    const handle = await open(place.real);
    try {
      if (!(await isSame(handle, place))) {
        if (isLast)
          throw new GranaryError("changed-on-disk", `${place.path} was replaced while it was opened. Try again.`);
        await handle.close();
        return null;
      }
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
      return {
        handle,
        bytes: size,
        beginning: buffer.subarray(0, bytesRead),
        chunks: (signal) => chunksOf(handle, signal),
        whole: (signal) => allOf(chunksOf(handle, signal)),
        [Symbol.asyncDispose]: () => handle.close(),
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw await fileProblem(error, place.path);
  }
}

/** For files that other code opens, whose errors would say less. */
export async function requireOpenable(place: NamedFile): Promise<void> {
  await using _file = await openFile(place);
}

function requireFile(found: Stats, { path }: NamedFile): void {
  if (found.isDirectory()) throw isFolder(path);
  if (!found.isFile()) throw new GranaryError("not-a-file", `${path} is not a file but a pipe, a socket or a device.`);
}

/** Checks that the open file is still the one at the path, and not one that a temporary link led to. */
async function isSame(handle: FileHandle, place: NamedFile): Promise<boolean> {
  await place.stillInside();
  const [opened, named] = await Promise.all([handle.stat(), stat(place.real)]);
  return opened.ino === named.ino && opened.dev === named.dev;
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

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
