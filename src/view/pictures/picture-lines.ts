import { createHash } from "node:crypto";
import type { PictureSize } from "../../output/pictures/picture.ts";
import { encodePng } from "../../output/pictures/png-encode.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { type EncodedPicture, pixelsOf, type ShowablePicture, showablePicture } from "./decode-picture.ts";
import { halfBlockLines } from "./half-blocks.ts";
import { iterm2Block } from "./iterm2.ts";
import { kittyBlock } from "./kitty.ts";
import {
  type ColourDepth,
  halfBlockPixels,
  type PictureBlock,
  type PictureProtocol,
  type Room,
  roomFor,
  usualCellPixels,
} from "./picture-block.ts";
import { sixelBlock, sixelSize } from "./sixel.ts";

export interface PictureOptions extends Room {
  readonly protocol: PictureProtocol;
  readonly colors: ColourDepth;
  readonly background?: "dark" | "light" | undefined;
  /** The size of a character, where the terminal reports it. */
  readonly cellPixels?: PictureSize | undefined;
  /** Distinguishes places that show the same picture: removing one must not remove both. */
  readonly place?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A picture as lines that fit these columns and rows; null for one that cannot be shown this way: SVG, GIF, WebP,
 * a broken picture, or one that is too large to decode.
 */
export async function pictureLines(image: EncodedPicture, options: PictureOptions): Promise<PictureBlock | null> {
  const picture = showablePicture(image);
  if (picture === null) return null;
  try {
    return await encoders[options.protocol](picture, pictureRoom(picture, options), options);
  } catch (error) {
    if (isGranaryError(error, "broken-picture")) return null;
    throw error;
  }
}

/** The room that `pictureLines` will take, without decoding anything. */
export function pictureRoom(picture: PictureSize, options: Omit<PictureOptions, "signal">): Room {
  const limit = { columns: Math.max(1, options.columns), rows: Math.max(1, options.rows) };
  return roomFor(picture, limit, pixelsPerCell(options));
}

/**
 * Cells with many pixels mean a high-resolution screen: a picture in its own size would be too small to read there, and these
 * terminals enlarge it.
 */
function pixelsPerCell(options: Pick<PictureOptions, "protocol" | "cellPixels">): PictureSize {
  if (options.protocol === "half-block") return halfBlockPixels;
  const cell = cellOf(options);
  const isDense = cell.height > denseFrom * usualCellPixels.height;
  if (options.protocol === "sixel" || !isDense) return cell;
  return { width: (cell.width * usualCellPixels.height) / cell.height, height: usualCellPixels.height };
}

/** A factor: such a screen has about twice as many pixels as others of its size. */
const denseFrom = 1.5;

type Encoder = (picture: ShowablePicture, room: Room, options: PictureOptions) => Promise<PictureBlock>;

const encoders: Readonly<Record<PictureProtocol, Encoder>> = {
  kitty: async (picture, room, options) => {
    const png = await pngFor(picture, room, options);
    return kittyBlock(png, room, kittyId(png, room, options.place));
  },
  iterm2: async (picture, room, options) => {
    const isHuge = picture.bytes.length > longestAsItIs;
    return iterm2Block(isHuge ? await pngFor(picture, room, options) : picture.bytes, room);
  },
  sixel: async (picture, room, options) => {
    const pixels = await pixelsOf(picture, sixelSize(picture, room, cellOf(options)), options.signal);
    return sixelBlock(pixels, room, options.background ?? "dark");
  },
  "half-block": async (picture, room, { colors, background = "dark", signal }) => {
    const shape = Math.round((room.columns * picture.height) / picture.width);
    // As many lines as promised; the last may be half a line.
    const height = Math.max(room.rows * 2 - 1, Math.min(room.rows * 2, shape));
    const pixels = await pixelsOf(picture, { width: room.columns, height }, signal);
    return { ...room, lines: halfBlockLines(pixels, { colors, background }) };
  },
};

/** Larger pictures are scaled down first: the terminal may be behind a slow connection. */
const longestAsItIs = 300_000;

async function pngFor(picture: ShowablePicture, room: Room, options: PictureOptions): Promise<Buffer> {
  if (picture.type === "image/png" && picture.bytes.length <= longestAsItIs) return picture.bytes;
  const cell = cellOf(options);
  // Twice the assumed resolution, because cells are often reported smaller than they are.
  const size = { width: room.columns * cell.width * 2, height: room.rows * cell.height * 2 };
  const scale = Math.min(1, size.width / picture.width, size.height / picture.height);
  const scaled = { width: Math.ceil(picture.width * scale), height: Math.ceil(picture.height * scale) };
  return encodePng(await pixelsOf(picture, scaled, options.signal));
}

function cellOf({ cellPixels = usualCellPixels }: Pick<PictureOptions, "cellPixels">): PictureSize {
  return cellPixels;
}

/** Equal for the same picture, so that showing it again replaces it. */
function kittyId(png: Buffer, { columns, rows }: Room, place = ""): number {
  const digest = createHash("sha256").update(png).update(`${columns}x${rows} ${place}`).digest();
  // Small enough for a signed number; 0 would mean none.
  return digest.readUInt32BE(0) & 0x7fffffff || 1;
}
