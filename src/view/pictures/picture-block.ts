import type { PictureSize } from "../../output/pictures/picture.ts";

/** How a terminal shows a picture; half blocks are ordinary characters and work everywhere. */
export type PictureProtocol = "kitty" | "iterm2" | "sixel" | "half-block";

/** How many colours a terminal has; 0 for none. */
export type ColourDepth = 0 | 16 | 256 | "true";

/** A picture as lines of a terminal: as many lines as rows, none wider than the columns. */
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

/** The most common default; used when the terminal does not report its own. */
export const usualCellPixels: PictureSize = { width: 9, height: 18 };

/** The room that a picture takes: at most its own size, scaled down to fit, with its shape kept. */
export function roomFor(picture: PictureSize, limit: Room, cell: PictureSize): Room {
  const scale = Math.min(1, (limit.columns * cell.width) / picture.width, (limit.rows * cell.height) / picture.height);
  return {
    columns: within(limit.columns, Math.ceil((picture.width * scale) / cell.width)),
    rows: within(limit.rows, Math.ceil((picture.height * scale) / cell.height)),
  };
}

/** A half-block character shows two pixels, one above the other, so a small picture needs more room than its size. */
export const halfBlockPixels: PictureSize = { width: 1, height: 2 };

function within(limit: number, length: number): number {
  return Math.max(1, Math.min(limit, length));
}
