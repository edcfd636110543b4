import type { FileHandle } from "node:fs/promises";
import { type Notebook, notebookPieces } from "../../notebook.ts";
import { CellOnDisk } from "./cell-on-disk.ts";
import { readExactly } from "./windows.ts";

/** Bytes of a file, which are copied from there. */
export interface FileSpan {
  readonly start: number;
  readonly end: number;
}

/** The bytes of an edited notebook: new ones, and spans of the old file. */
export function newContent(notebook: Notebook, original: Notebook): (Buffer | FileSpan)[] {
  const [before, opening, end, closing, after] = notebookPieces({ ...notebook, cells: [], leads: [] }) as FiveBuffers;
  const pieces: (Buffer | FileSpan)[] = [before, opening];
  let run: { start: number; end: number; last: number } | null = null;
  for (const [index, cell] of notebook.cells.entries()) {
    const lead = notebook.leads[index] as Buffer;
    const place = cell instanceof CellOnDisk ? cell.place : null;
    if (place !== null && run?.last === place.index - 1 && original.leads[place.index]?.equals(lead)) {
      run.end = place.end;
      run.last = place.index;
      continue;
    }
    if (run !== null) pieces.push(run);
    run = place === null ? null : { start: place.start, end: place.end, last: place.index };
    pieces.push(lead);
    if (place === null) pieces.push(cell.json.text);
  }
  if (run !== null) pieces.push(run);
  pieces.push(end, closing, after);
  return pieces;
}

type FiveBuffers = [before: Buffer, opening: Buffer, end: Buffer, closing: Buffer, after: Buffer];

/** Whether an edited notebook has exactly the bytes of the original. Equal bytes have equal parts. */
export function isUnchanged(notebook: Notebook, original: Notebook): boolean {
  const { cells, leads, end, frame } = notebook;
  if (cells.length !== original.cells.length || !end.equals(original.end)) return false;
  if (frame !== original.frame && !frame.text.equals(original.frame.text)) return false;
  if (!leads.every((lead, index) => original.leads[index]?.equals(lead))) return false;
  return cells.every((cell, index) => {
    const before = original.cells[index] as CellOnDisk;
    return cell === before || (lengthOf(cell) === lengthOf(before) && cell.json.text.equals(before.json.text));
  });
}

function lengthOf(cell: Notebook["cells"][number]): number {
  const { start, end } = cell instanceof CellOnDisk ? cell.place : cell.json;
  return end - start;
}

/** One is being written, one waits for that, and one is being read. */
const partsAtOnce = 3;

/** Yields new content, a quarter of the memory at a time; a part keeps its bytes until the second part after it is asked for. */
export async function* contentParts(
  file: FileHandle,
  pieces: readonly (Buffer | FileSpan)[],
  memory: Buffer,
): AsyncGenerator<Buffer> {
  const partBytes = memory.length / 4;
  let next: Promise<Buffer | null> = Promise.resolve(null);
  let count = 0;
  try {
    for (const part of partsOf(pieces, partBytes)) {
      const ready = await next;
      const buffer = memory.subarray((count++ % partsAtOnce) * partBytes);
      next = Buffer.isBuffer(part) ? Promise.resolve(part) : readSpan(file, buffer, part);
      // Its error is reported when its turn comes.
      next.catch(() => {});
      if (ready !== null) yield ready;
    }
    const last = await next;
    if (last !== null) yield last;
  } finally {
    // No read may be pending when the file is closed.
    await next.catch(() => {});
  }
}

function readSpan(file: FileHandle, buffer: Buffer, { start, end }: FileSpan): Promise<Buffer> {
  return readExactly(file, buffer.subarray(0, end - start), start);
}

function* partsOf(pieces: readonly (Buffer | FileSpan)[], partBytes: number): Generator<Buffer | FileSpan> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      if (piece.length > 0) yield piece;
      continue;
    }
    for (let start = piece.start; start < piece.end; start += partBytes) {
      yield { start, end: Math.min(start + partBytes, piece.end) };
    }
  }
}
