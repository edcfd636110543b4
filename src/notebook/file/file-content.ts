import { open } from "node:fs/promises";

/** Comparing and writing what is in many pieces, without putting it together in memory first. */

/** So that somebody who gives up does not wait for all of a large file. */
const longestRead = 64 * 1024 * 1024;

const chunkSize = 4 * 1024 * 1024;

/** The same bytes in fewer pieces: small ones are joined, large ones handed on as they are. */
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

/** All of a file. Not `readFile`, which takes a large one in a hundred small pieces. */
export async function readWhole(path: string, signal?: AbortSignal): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const content = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(content, length, Math.min(size - length, longestRead));
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return content.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** Whether a file contains exactly these bytes; for null, whether it does not exist. */
export async function isContentOf(path: string, pieces: readonly Buffer[] | null): Promise<boolean> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null || pieces === null) {
    await file?.close();
    return file === null && pieces === null;
  }
  try {
    if ((await file.stat()).size !== totalLength(pieces)) return false;
    const read = Buffer.allocUnsafe(chunkSize);
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
      if (piece.compare(against, start, start + length, compared, compared + length) !== 0) return false;
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

function totalLength(pieces: readonly Buffer[]): number {
  return pieces.reduce((total, piece) => total + piece.length, 0);
}
