import { deflateSync } from "node:zlib";
import type { Pixels } from "../../../src/output/pictures/picture.ts";
import { writeChunks } from "../../../src/output/pictures/png-chunks.ts";

/** Pixels that do not compress, the same ones every time. */
export function noisePixels(width: number, height: number, { transparent = false } = {}): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  let state = 1;
  for (let i = 0; i < rgba.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    rgba[i] = i % 4 === 3 && !transparent ? 255 : state >>> 24;
  }
  return { width, height, rgba };
}

/** A PNG with any header, true or not. */
export function png(picture: { readonly width: number; readonly height: number; readonly pixels: Buffer }): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(picture.width, 0);
  header.writeUInt32BE(picture.height, 4);
  return writeChunks([
    { name: "IHDR", data: header },
    { name: "IDAT", data: deflateSync(picture.pixels) },
    { name: "IEND", data: Buffer.alloc(0) },
  ]);
}
