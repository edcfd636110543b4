import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { GranaryError } from "../../support/granary-error.ts";
import type { PictureRows } from "./picture.ts";
import { readChunks } from "./png-chunks.ts";
import { isFilter, unfilter } from "./png-filters.ts";
import { type PngLayout, pixelBytes, pngLayout, rowBytes } from "./png-layout.ts";
import { pixelConverter } from "./png-pixels.ts";

/**
 * Decodes a PNG of any kind. Inflating is the work of zlib, off the main thread and never beyond what the header
 * announces; it also checks that the picture is complete, so callers that need only this can skip the rows.
 */
export async function decodePng(png: Buffer): Promise<PictureRows> {
  const chunks = readChunks(png);
  const layout = pngLayout(chunks);
  const passes = layout.interlaced ? interlacedPasses(layout) : [{ ...wholePicture, ...layout }];
  const expected = passes.reduce((sum, pass) => sum + pass.height * (1 + rowBytes(layout, pass.width)), 0);
  const compressed = Buffer.concat(chunks.filter(({ name }) => name === "IDAT").map(({ data }) => data));
  const samples = await inflated(compressed, expected);
  if (samples.length < expected) throw new GranaryError("broken-picture", "rows are missing");
  checkFilters(layout, passes, samples);
  return {
    width: layout.width,
    height: layout.height,
    rows: () => (layout.interlaced ? interlacedRows(layout, passes, samples) : passRows(layout, layout, samples, 0)),
  };
}

async function inflated(compressed: Buffer, expected: number): Promise<Buffer> {
  try {
    return await promisify(inflate)(compressed, { maxOutputLength: expected });
  } catch (error) {
    throw new GranaryError("broken-picture", `its pixels do not decompress (${(error as Error).message})`);
  }
}

/** Here and not row by row, so that a picture is checked even if its rows are not read. */
function checkFilters(layout: PngLayout, passes: readonly Pass[], samples: Buffer): void {
  let at = 0;
  for (const { width, height } of passes) {
    for (let y = 0; y < height; y++, at += 1 + rowBytes(layout, width)) {
      if (!isFilter(samples[at] as number))
        throw new GranaryError("broken-picture", `row filter ${samples[at]} is unknown`);
    }
  }
}

interface Pass {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly stepX: number;
  readonly stepY: number;
}

const wholePicture = { left: 0, top: 0, stepX: 1, stepY: 1 };

/** Adam7: seven smaller pictures, each with every nth pixel of the whole. */
function interlacedPasses({ width, height }: PngLayout): Pass[] {
  const grid = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  return grid
    .map(([left = 0, top = 0, stepX = 1, stepY = 1]) => ({
      left,
      top,
      stepX,
      stepY,
      width: Math.ceil((width - left) / stepX),
      height: Math.ceil((height - top) / stepY),
    }))
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

function* interlacedRows(layout: PngLayout, passes: readonly Pass[], samples: Buffer): Iterable<Uint8Array> {
  const whole = new Uint8Array(layout.width * layout.height * 4);
  const target = new Uint32Array(whole.buffer);
  let start = 0;
  for (const pass of passes) {
    let y = pass.top;
    for (const row of passRows(layout, pass, samples, start)) {
      const pixels = new Uint32Array(row.buffer, row.byteOffset, pass.width);
      const first = y * layout.width + pass.left;
      for (let x = 0; x < pass.width; x++) target[first + x * pass.stepX] = pixels[x] as number;
      y += pass.stepY;
    }
    start += pass.height * (1 + rowBytes(layout, pass.width));
  }
  for (let y = 0; y < layout.height; y++) yield whole.subarray(y * layout.width * 4, (y + 1) * layout.width * 4);
}

/** Every row starts with the number of its filter, which refers to the row before. */
function* passRows(
  layout: PngLayout,
  { width, height }: { readonly width: number; readonly height: number },
  samples: Buffer,
  start: number,
): Iterable<Uint8Array> {
  const length = rowBytes(layout, width);
  const distance = pixelBytes(layout);
  const toPixels = pixelConverter(layout);
  const pixels = new Uint8Array(width * 4);
  let current = Buffer.alloc(length);
  let above = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const at = start + y * (length + 1);
    // A copy, so that the rows can be read more than once.
    samples.copy(current, 0, at + 1, at + 1 + length);
    unfilter(samples[at] as number, current, above, distance);
    toPixels(current, pixels, width);
    yield pixels;
    [current, above] = [above, current];
  }
}
