import { GranaryError } from "../../support/granary-error.ts";
import type { PngChunk } from "./png-chunks.ts";

export interface PngLayout {
  readonly width: number;
  readonly height: number;
  /** Bits of one sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  readonly colour: PngColour;
  readonly interlaced: boolean;
  readonly palette: Buffer | null;
  readonly transparency: Buffer | null;
}

export const pngColour = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;
type PngColour = (typeof pngColour)[keyof typeof pngColour];

const channels: Record<PngColour, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const depths: Record<PngColour, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The facts of the header, and the chunks that colours need. */
export function pngLayout(chunks: readonly PngChunk[]): PngLayout {
  const [header] = chunks;
  if (header?.name !== "IHDR" || header.data.length !== 13)
    throw new GranaryError("broken-picture", "it has no header");
  const [depth = 0, colour = 0, , , interlace = 0] = header.data.subarray(8);
  if (!depths[colour as PngColour]?.includes(depth))
    throw new GranaryError("broken-picture", `colour type ${colour} is unknown`);
  const part = (wanted: string) => chunks.find(({ name }) => name === wanted)?.data ?? null;
  const layout: PngLayout = {
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
    depth,
    colour: colour as PngColour,
    interlaced: interlace === 1,
    palette: part("PLTE"),
    transparency: part("tRNS"),
  };
  if (layout.colour === pngColour.palette && !layout.palette)
    throw new GranaryError("broken-picture", "its palette is missing");
  return layout;
}

export function rowBytes({ colour, depth }: PngLayout, width: number): number {
  return Math.ceil((width * channels[colour] * depth) / 8);
}

/** Bytes of one pixel, at least one. */
export function pixelBytes({ colour, depth }: PngLayout): number {
  return Math.max(1, (channels[colour] * depth) >> 3);
}
