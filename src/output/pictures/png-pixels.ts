import { type PngLayout, pngColour } from "./png-layout.ts";

/** Turns a row's packed samples into red, green, blue and alpha bytes. */
export type PixelConverter = (row: Uint8Array, rgba: Uint8Array, width: number) => void;

export function pixelConverter(layout: PngLayout): PixelConverter {
  switch (layout.colour) {
    case pngColour.palette:
      return fromPalette(layout);
    case pngColour.grey:
      return fromGrey(layout);
    case pngColour.rgb:
      return fromRgb(layout);
    case pngColour.greyAlpha:
      return fromGreyAlpha(layout.depth >> 3);
    case pngColour.rgba:
      return fromRgba(layout.depth >> 3);
    default:
      return layout.colour satisfies never;
  }
}

function fromPalette({ depth, palette, transparency }: PngLayout): PixelConverter {
  return (row, rgba, width) => {
    for (let x = 0; x < width; x++) {
      const index = sample(row, x, depth);
      // A colour outside the palette is black, as in browsers.
      for (let channel = 0; channel < 3; channel++) rgba[x * 4 + channel] = palette?.[index * 3 + channel] ?? 0;
      rgba[x * 4 + 3] = transparency?.[index] ?? 255;
    }
  };
}

function fromGrey({ depth, transparency }: PngLayout): PixelConverter {
  const transparent = transparency && transparency.length >= 2 ? transparency.readUInt16BE(0) : -1;
  const toByte = depth === 16 ? 1 / 256 : 255 / (2 ** depth - 1);
  return (row, rgba, width) => {
    for (let x = 0; x < width; x++) {
      const grey = sample(row, x, depth);
      rgba.fill(grey * toByte, x * 4, x * 4 + 3);
      rgba[x * 4 + 3] = grey === transparent ? 0 : 255;
    }
  };
}

function fromRgb({ depth, transparency }: PngLayout): PixelConverter {
  const bytes = depth >> 3;
  const transparent = transparency && transparency.length >= 6 ? transparency : null;
  const isTransparent = (row: Uint8Array, x: number, colour: Buffer) =>
    [0, 1, 2].every((channel) => sample(row, x * 3 + channel, depth) === colour.readUInt16BE(channel * 2));
  return (row, rgba, width) => {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++) rgba[x * 4 + channel] = row[(x * 3 + channel) * bytes] as number;
      rgba[x * 4 + 3] = transparent && isTransparent(row, x, transparent) ? 0 : 255;
    }
  };
}

function fromGreyAlpha(bytes: number): PixelConverter {
  return (row, rgba, width) => {
    for (let x = 0; x < width; x++) {
      rgba.fill(row[x * 2 * bytes] as number, x * 4, x * 4 + 3);
      rgba[x * 4 + 3] = row[(x * 2 + 1) * bytes] as number;
    }
  };
}

/** Of 16-bit samples, the high byte comes first and is enough for the eye. */
function fromRgba(bytes: number): PixelConverter {
  if (bytes === 1) return (row, rgba) => rgba.set(row);
  return (row, rgba, width) => {
    for (let i = 0; i < width * 4; i++) rgba[i] = row[i * bytes] as number;
  };
}

/** The sample at an index: several small samples share a byte, large ones take two. */
function sample(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] as number;
  if (depth === 16) return ((row[index * 2] as number) << 8) | (row[index * 2 + 1] as number);
  const bit = index * depth;
  return ((row[bit >> 3] as number) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}
