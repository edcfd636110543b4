import { GranaryError } from "../../support/granary-error.ts";
import type { Pixels } from "./picture.ts";

/** The first frame of a GIF, on a transparent canvas. Throws `broken-picture` or `picture-too-large`. */
export function decodeFirstFrame(gif: Buffer, mostPixels: number): Pixels {
  try {
    return firstFrame(gif, mostPixels);
  } catch (error) {
    if (error instanceof GranaryError) throw error;
    // Reading beyond the end.
    throw broken("it ends too early");
  }
}

function firstFrame(gif: Buffer, mostPixels: number): Pixels {
  const [width, height] = [gif.readUInt16LE(6), gif.readUInt16LE(8)];
  if (width * height === 0) throw broken(`it is ${width} by ${height} pixels`);
  if (width * height > mostPixels) {
    throw new GranaryError("picture-too-large", "it has too many pixels", { details: { width, height } });
  }
  const flags = gif.readUInt8(10);
  let at = 13 + tableBytes(flags);
  let transparent = -1;
  for (;;) {
    const kind = gif.readUInt8(at);
    if (kind === trailer) throw broken("it has no frame");
    if (kind === imageDescriptor) break;
    if (kind !== extension) throw broken(`it has an unknown block: ${kind}`);
    const isGraphicControl = gif.readUInt8(at + 1) === 0xf9;
    if (isGraphicControl && gif.readUInt8(at + 3) & 1) transparent = gif.readUInt8(at + 6);
    at = endOfBlocks(gif, at + 2);
  }
  const frame = {
    left: gif.readUInt16LE(at + 1),
    top: gif.readUInt16LE(at + 3),
    width: gif.readUInt16LE(at + 5),
    height: gif.readUInt16LE(at + 7),
  };
  const ownFlags = gif.readUInt8(at + 9);
  const ownTable = tableBytes(ownFlags);
  const colours = ownTable > 0 ? gif.subarray(at + 10, at + 10 + ownTable) : gif.subarray(13, 13 + tableBytes(flags));
  at += 10 + ownTable;
  const count = Math.min(frame.width * frame.height, mostPixels);
  const indexes = unpack(blocksAt(gif, at + 1), gif.readUInt8(at), count);
  const rgba = new Uint8Array(width * height * 4);
  const rowOf = ownFlags & 0x40 ? interlacedRows(frame.height) : null;
  for (let pixel = 0; pixel < count; pixel++) {
    const row = Math.floor(pixel / frame.width);
    const x = frame.left + (pixel % frame.width);
    const y = frame.top + (rowOf === null ? row : (rowOf[row] as number));
    const colour = indexes[pixel] as number;
    if (x >= width || y >= height || colour === transparent) continue;
    const to = (y * width + x) * 4;
    rgba.set(colours.subarray(colour * 3, colour * 3 + 3), to);
    rgba[to + 3] = 255;
  }
  return { width, height, rgba };
}

const trailer = 0x3b;
const imageDescriptor = 0x2c;
const extension = 0x21;

function broken(problem: string): GranaryError {
  return new GranaryError("broken-picture", problem);
}

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfBlocks(gif: Buffer, start: number): number {
  let at = start;
  while (gif.readUInt8(at) > 0) at += 1 + gif.readUInt8(at);
  return at + 1;
}

/** The data of all blocks; of a file that ends too early, those that exist. */
function blocksAt(gif: Buffer, start: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = start; at < gif.length && gif.readUInt8(at) > 0; at += 1 + gif.readUInt8(at)) {
    blocks.push(gif.subarray(at + 1, at + 1 + gif.readUInt8(at)));
  }
  return Buffer.concat(blocks);
}

/** LZW as GIF has it: codes grow from `startBits` + 1 to 12 bits. */
function unpack(packed: Buffer, startBits: number, count: number): Uint8Array {
  if (startBits < 1 || startBits > 8) throw broken(`its codes begin with ${startBits} bits`);
  const clear = 2 ** startBits;
  const end = clear + 1;
  // Each entry is a previous entry and one more index.
  const previousOf = new Uint16Array(4096);
  const lastOf = Uint8Array.from({ length: 4096 }, (_, code) => code & 255);
  const lengthOf = new Uint16Array(4096).fill(1);
  const indexes = new Uint8Array(count);
  let [size, bits, held, heldBits, previous, written] = [end + 1, startBits + 1, 0, 0, -1, 0];
  const write = (code: number): number => {
    const length = lengthOf[code] as number;
    let from = code;
    for (let to = written + length - 1; to >= written; to--) {
      if (to < count) indexes[to] = lastOf[from] as number;
      if (to > written) from = previousOf[from] as number;
    }
    written += length;
    return lastOf[from] as number;
  };
  for (const byte of packed) {
    held |= byte << heldBits;
    heldBits += 8;
    while (heldBits >= bits && written < count) {
      const code = held & (2 ** bits - 1);
      held >>>= bits;
      heldBits -= bits;
      if (code === end) return indexes;
      if (code === clear) {
        [size, bits, previous] = [end + 1, startBits + 1, -1];
        continue;
      }
      if (code > size || (code === size && previous === -1)) throw broken("its data is damaged");
      const isNew = code === size;
      const first = write(isNew ? previous : code);
      if (isNew && written <= count) {
        if (written < count) indexes[written] = first;
        written += 1;
      }
      if (previous !== -1 && size < 4096) {
        previousOf[size] = previous;
        lastOf[size] = first;
        lengthOf[size] = (lengthOf[previous] as number) + 1;
        size += 1;
        if (size === 2 ** bits && bits < 12) bits += 1;
      }
      previous = code;
    }
  }
  return indexes;
}

/** For each stored row, its place in the picture: every eighth first, then those between. */
function interlacedRows(height: number): readonly number[] {
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  return passes.flatMap(([start, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - start) / step)) }, (_, index) => start + index * step),
  );
}
