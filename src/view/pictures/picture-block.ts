import type { PictureSize } from "../../output/pictures/picture.ts";

/** How a terminal can be made to show a picture; half blocks are ordinary characters and work wherever there are any. */
export type PictureProtocol = "kitty" | "iterm2" | "sixel" | "half-block";

/** How many colours a terminal has; 0 stands for none at all. */
export type ColourDepth = 0 | 16 | 256 | "true";

/** A picture as lines of a terminal: as many lines as rows, none of them wider than the columns. */
export interface PictureBlock {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
}

/** Room on a screen, in characters. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** What most terminals have by default, and what is taken when they do not tell. */
export const usualCellPixels: PictureSize = { width: 9, height: 18 };

/** The room that a picture takes: its own size at most, as small as needed to fit, its shape kept. */
export function roomFor(picture: PictureSize, limit: Room, cell: PictureSize): Room {
  const scale = Math.min(1, (limit.columns * cell.width) / picture.width, (limit.rows * cell.height) / picture.height);
  return {
    columns: within(limit.columns, Math.ceil((picture.width * scale) / cell.width)),
    rows: within(limit.rows, Math.ceil((picture.height * scale) / cell.height)),
  };
}

/** With half blocks a character shows two pixels, one above the other, so a small picture needs more room than it has. */
export const halfBlockPixels: PictureSize = { width: 1, height: 2 };

function within(limit: number, length: number): number {
  return Math.max(1, Math.min(limit, length));
}
