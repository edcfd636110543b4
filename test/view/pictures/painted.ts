import type { Pixels } from "../../../src/output/pictures/picture.ts";
import { encodePng } from "../../../src/output/pictures/png-encode.ts";
import type { EncodedPicture } from "../../../src/view/pictures/decode-picture.ts";

export type Colour = readonly [red: number, green: number, blue: number, alpha?: number];

export const red: Colour = [255, 0, 0];
export const green: Colour = [0, 255, 0];
export const blue: Colour = [0, 0, 255];
export const white: Colour = [255, 255, 255];
export const nothing: Colour = [0, 0, 0, 0];

/** Pixels by a function of their position. */
export function painted(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = colourAt(x, y);
      rgba.set([red, green, blue, alpha], (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

export async function pngOf(pixels: Pixels): Promise<EncodedPicture> {
  return { base64: (await encodePng(pixels)).toString("base64"), mimeType: "image/png" };
}
