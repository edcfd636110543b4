import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { Pixels } from "./picture.ts";
import { writeChunks } from "./png-chunks.ts";
import { filtered } from "./png-filters.ts";
import { pngColour } from "./png-layout.ts";

/** A PNG with 8 bits per sample; without an alpha channel if all pixels are opaque. */
export async function encodePng({ width, height, rgba }: Pixels): Promise<Buffer> {
  const opaque = isOpaque(rgba);
  const samples = opaque ? withoutAlpha(rgba) : rgba;
  const pixelBytes = opaque ? 3 : 4;
  const rows: Uint8Array[] = [];
  let above: Uint8Array = new Uint8Array(width * pixelBytes);
  for (let y = 0; y < height; y++) {
    const row = samples.subarray(y * width * pixelBytes, (y + 1) * width * pixelBytes);
    rows.push(filtered(row, above, pixelBytes));
    above = row;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(opaque ? pngColour.rgb : pngColour.rgba, 9);
  return writeChunks([
    { name: "IHDR", data: header },
    { name: "IDAT", data: await promisify(deflate)(Buffer.concat(rows)) },
    { name: "IEND", data: Buffer.alloc(0) },
  ]);
}

export function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from] as number;
    rgb[to + 1] = rgba[from + 1] as number;
    rgb[to + 2] = rgba[from + 2] as number;
  }
  return rgb;
}
