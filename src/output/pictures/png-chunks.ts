import { GranaryError } from "../../support/granary-error.ts";
import { sayCount } from "../../support/say-count.ts";
import { pngSignature } from "./picture-header.ts";

export interface PngChunk {
  readonly name: string;
  readonly data: Buffer;
}

/** The chunks of a PNG up to its end; checks each checksum. */
export function readChunks(png: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = pngSignature.length; ; ) {
    if (at + 12 > png.length)
      throw new GranaryError("broken-picture", `it is cut off after ${sayCount(png.length, "byte")}`);
    const end = at + 8 + png.readUInt32BE(at);
    if (end + 4 > png.length)
      throw new GranaryError("broken-picture", `it is cut off after ${sayCount(png.length, "byte")}`);
    const name = png.toString("latin1", at + 4, at + 8);
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) {
      throw new GranaryError("broken-picture", `the checksum of its ${JSON.stringify(name)} part is wrong`);
    }
    chunks.push({ name, data: png.subarray(at + 8, end) });
    if (name === "IEND") return chunks;
    at = end + 4;
  }
}

export function writeChunks(chunks: readonly PngChunk[]): Buffer {
  return Buffer.concat([pngSignature, ...chunks.flatMap(chunkBytes)]);
}

function chunkBytes({ name, data }: PngChunk): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return [length, body, checksum];
}

// node:zlib has this from 20.15 on only.
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ at(crcTable, (crc ^ at(bytes, i)) & 0xff);
  return (crc ^ 0xffffffff) >>> 0;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function at(array: Uint8Array | Uint32Array, index: number): number {
  return array[index] as number;
}
