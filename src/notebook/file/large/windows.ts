import type { FileHandle } from "node:fs/promises";
import { NeedsWholeFile } from "./needs-whole-file.ts";

/** More is unusual for one cell, and would be copied from window to window. */
const mostKept = 8 * 1024 * 1024;

export interface WindowOptions {
  readonly size: number;
  /** A quarter of it is read at a time. */
  readonly memory: Buffer;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks at some bytes of a file.
 * @param start their position in the file
 * @returns the number of bytes that are done; the next window begins with the rest
 */
export type UseWindow = (window: Buffer, start: number, isLast: boolean) => number;

/** Reads a file once, through two buffers: one is filled while the other is in use. Fresh memory for a whole file costs more than the read. */
export async function readWindows(
  file: FileHandle,
  { size, memory, signal }: WindowOptions,
  use: UseWindow,
): Promise<void> {
  const partBytes = memory.length / 4;
  // The first half is for the rest of the window before.
  const buffers = [memory.subarray(0, 2 * partBytes), memory.subarray(2 * partBytes)] as const;
  const lengthAt = (position: number) => Math.min(partBytes, size - position);
  const read = (turn: 0 | 1, position: number) =>
    readExactly(file, buffers[turn].subarray(partBytes, partBytes + lengthAt(position)), position);

  let turn: 0 | 1 = 0;
  let rest: Buffer = buffers[1].subarray(0, 0);
  let next = read(turn, 0);
  try {
    for (let position = 0; position < size; ) {
      const part = await next;
      signal?.throwIfAborted();
      const window = joined(rest, part, buffers[turn], partBytes);
      const start = position - rest.length;
      position += part.length;
      turn = turn === 0 ? 1 : 0;
      const isLast = position === size;
      // The rest was copied, so its buffer is free.
      if (!isLast) next = read(turn, position);
      rest = window.subarray(use(window, start, isLast));
      if (rest.length > mostKept) throw new NeedsWholeFile();
    }
  } finally {
    // No read may be pending when the file is closed.
    await next.catch(() => {});
  }
}

/** @param buffer the part is in it, after room for a short rest */
function joined(rest: Buffer, part: Buffer, buffer: Buffer, room: number): Buffer {
  if (rest.length > room) return Buffer.concat([rest, part]);
  rest.copy(buffer, room - rest.length);
  return buffer.subarray(room - rest.length, room + part.length);
}

/** Fills the buffer from the file. A file that ends too early was truncated by another program. */
export async function readExactly(file: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  for (let length = 0; length < buffer.length; ) {
    const { bytesRead } = await file
      .read(buffer, length, buffer.length - length, position + length)
      .catch((cause: unknown) => {
        throw new NeedsWholeFile(cause);
      });
    if (bytesRead === 0) throw new NeedsWholeFile();
    length += bytesRead;
  }
  return buffer;
}
