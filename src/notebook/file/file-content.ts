import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, readFile, stat } from "node:fs/promises";
import { openRegular } from "../../support/files/foreign/regular-file.ts";
import { holdFile, withoutLinks } from "../../support/files/held-file.ts";
import type { LockedOptions } from "../../support/files/locked-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { type SeenFile, whileSeen } from "./seen-file.ts";

/** Compares and writes content in many pieces, without joining it in memory first. */

/** Two parts are read in parallel, which is faster on several cores. More would slow down the scan of the parts that are there. */
const partSize = 2 * 1024 * 1024;
const partsAtOnce = 2;

const chunkSize = 4 * 1024 * 1024;

/** In bytes. Jupyter opens none of half that size, and a file without content can have any. */
export const largestNotebook = 1_000_000_000;

/** The same bytes in fewer pieces: small ones are joined, large ones passed on unchanged. */
export function* packed(pieces: Iterable<Buffer>): Generator<Buffer> {
  let small: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (size > 0 && size + piece.length > chunkSize) {
      yield Buffer.concat(small);
      small = [];
      size = 0;
    }
    if (piece.length >= chunkSize) yield piece;
    else {
      small.push(piece);
      size += piece.length;
    }
  }
  if (size > 0) yield Buffer.concat(small);
}

export interface WholeFile {
  readonly content: Buffer;
  readonly seen: SeenFile | null;
}

export interface ReadOptions extends LockedOptions {
  /** Called while a large file is being read, with its memory and the number of bytes that are there. */
  readonly onArrival?: (content: Buffer, arrived: number) => void;
}

/** All of a file. Not `readFile`, which reads a large one in a hundred small pieces, one after the other. */
export async function readWholeFile(path: string, { signal, within, onArrival }: ReadOptions = {}): Promise<WholeFile> {
  await using held = await holdFile(path, within);
  const found = await (within ? lstat : stat)(held.at);
  if (!within && isPipe(path, found)) return { content: await readFile(path, { signal }), seen: null };
  if (!found.isFile() && !found.isDirectory()) throw notAFile(path);
  const file = await openRegular(held.at, within ? constants.O_RDONLY | withoutLinks : constants.O_RDONLY);
  try {
    const { read, seen } = await whileSeen(file, () => readParts(file, signal, onArrival));
    return { content: read, seen };
  } finally {
    await file.close();
  }
}

async function readParts(
  file: FileHandle,
  signal?: AbortSignal,
  onArrival?: ReadOptions["onArrival"],
): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > largestNotebook) throw Object.assign(new Error("It is too large."), { code: "ERR_FS_FILE_TOO_LARGE" });
  const content = Buffer.allocUnsafeSlow(size);
  const ahead: Promise<number>[] = [];
  let asked = 0;
  const readAhead = () => {
    for (; asked < size && ahead.length < partsAtOnce; asked += partSize) {
      const read = readPart(file, content, asked, signal);
      // Its error is reported when its turn comes.
      read.catch(() => {});
      ahead.push(read);
    }
  };
  try {
    for (let arrived = 0; arrived < size; ) {
      readAhead();
      const end = Math.min(arrived + partSize, size);
      arrived += (await ahead[0]) as number;
      ahead.shift();
      // Another program may have truncated the file: then it ends at the first short part.
      if (arrived < end) return content.subarray(0, arrived);
      readAhead();
      if (arrived < size) onArrival?.(content, arrived);
    }
    return content;
  } finally {
    // No read may be pending when the file is closed.
    await Promise.allSettled(ahead);
  }
}

/** A shell's `<(command)` or `/dev/stdin`. A named pipe would wait for a writer, perhaps for ever. */
function isPipe(path: string, found: Stats): boolean {
  return !found.isFile() && !found.isDirectory() && /^\/(?:dev\/(?:stdin$|fd\/)|proc\/)/.test(path);
}

function notAFile(path: string): GranaryError {
  return new GranaryError("not-a-file", `${path} is not a regular file. Name a notebook.`);
}

/** Returns the number of bytes read. */
async function readPart(file: FileHandle, content: Buffer, start: number, signal?: AbortSignal): Promise<number> {
  const wanted = Math.min(partSize, content.length - start);
  let length = 0;
  while (length < wanted) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(content, start + length, wanted - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** Whether a file contains exactly these bytes; for null, whether it does not exist. */
export async function isContentOf(path: string, pieces: readonly Buffer[] | null): Promise<boolean> {
  const file = await openRegular(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null || pieces === null) {
    await file?.close();
    return file === null && pieces === null;
  }
  try {
    const { size } = await file.stat();
    if (size !== totalLength(pieces)) return false;
    // No more than needed: a run saves small notebooks often, and memory outside of its heap makes Node collect garbage.
    const read = Buffer.allocUnsafe(Math.min(chunkSize, size));
    for (const expected of packed(pieces)) {
      for (let start = 0; start < expected.length; ) {
        const wanted = Math.min(chunkSize, expected.length - start);
        const { bytesRead } = await file.read(read, 0, wanted);
        if (bytesRead === 0 || read.compare(expected, start, start + bytesRead, 0, bytesRead) !== 0) return false;
        start += bytesRead;
      }
    }
    return true;
  } finally {
    await file.close();
  }
}

export function isSameContent(one: readonly Buffer[], other: readonly Buffer[]): boolean {
  if (totalLength(one) !== totalLength(other)) return false;
  const others = other.filter((piece) => piece.length > 0);
  let at = 0;
  let start = 0;
  for (const piece of one) {
    for (let compared = 0; compared < piece.length; ) {
      const against = others[at] as Buffer;
      const length = Math.min(piece.length - compared, against.length - start);
      // Most of an edited notebook is still the memory that was read.
      const isSameMemory =
        piece.buffer === against.buffer && piece.byteOffset + compared === against.byteOffset + start;
      if (!isSameMemory && piece.compare(against, start, start + length, compared, compared + length) !== 0)
        return false;
      compared += length;
      start += length;
      if (start === against.length) {
        at++;
        start = 0;
      }
    }
  }
  return true;
}

export function totalLength(pieces: readonly Buffer[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0);
}
