/** Pixels as we compute with them: four bytes each (red, green, blue, alpha), row after row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The formats that models accept and that we can decode. */
export type PictureType = "image/png" | "image/jpeg";

/** Decodes a picture row by row, so that a large one need not be in memory as pixels. */
export interface PictureRows extends PictureSize {
  /** Each row is valid until the next iteration. */
  rows(): Iterable<Uint8Array>;
}

export function rowsOf({ width, height, rgba }: Pixels): PictureRows {
  return {
    width,
    height,
    *rows() {
      for (let y = 0; y < height; y++) yield rgba.subarray(y * width * 4, (y + 1) * width * 4);
    },
  };
}
