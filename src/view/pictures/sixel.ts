import type { PictureSize, Pixels } from "../../output/pictures/picture.ts";
import { drawnUpwards } from "./draw-upwards.ts";
import { withFewColours } from "./few-colours.ts";
import type { PictureBlock, Room } from "./picture-block.ts";

/** Sixel is painted in bands of this many pixels. */
const bandHeight = 6;

/** The number of colours that every sixel terminal supports. */
const mostColours = 256;

/** The pixels that fit the room. Whole bands only, because a last one that reaches into the next line would scroll the screen. */
export function sixelSize(picture: PictureSize, room: Room, cell: PictureSize): PictureSize {
  const space = { width: room.columns * cell.width, height: room.rows * cell.height };
  const scale = Math.min(1, space.width / picture.width, space.height / picture.height);
  const height = Math.max(1, Math.floor(picture.height * scale));
  const isWhole = height < bandHeight || height + bandHeight <= space.height;
  return {
    width: Math.max(1, Math.floor(picture.width * scale)),
    height: isWhole ? height : height - (height % bandHeight),
  };
}

/** @see https://vt100.net/docs/vt3xx-gp/chapter14.html */
export async function sixelBlock(pixels: Pixels, room: Room, background: "dark" | "light"): Promise<PictureBlock> {
  const { introducer, sixelEncode, FINALIZER } = await import("sixel");
  const opaque = { ...pixels, rgba: withBackground(pixels, background === "dark" ? 0 : 255) };
  const { rgba, width, height, palette } = withFewColours(opaque, mostColours);
  const sequence =
    introducer() +
    sixelEncode(
      rgba,
      width,
      height,
      palette.map(([...rgb]) => rgb),
    ) +
    FINALIZER;
  return drawnUpwards(markedAsPicture + sequence, room);
}

/**
 * Screens without sixel support measure its bytes as very wide text. All of them know kitty's pictures, and
 * terminals that do not must ignore this empty one.
 */
const markedAsPicture = "\u001b_Gq=2,a=d,d=I,i=4294967295\u001b\\";

function withBackground({ rgba }: Pixels, level: number): Uint8Array {
  const opaque = new Uint8Array(rgba.length);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] as number;
    for (let channel = at; channel < at + 3; channel++) {
      opaque[channel] = Math.round(((rgba[channel] as number) * alpha + level * (255 - alpha)) / 255);
    }
    opaque[at + 3] = 255;
  }
  return opaque;
}
