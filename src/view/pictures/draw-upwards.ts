import type { PictureBlock, Room } from "./picture-block.ts";

/**
 * A block whose last line moves back to the first and draws from there: in iTerm2 and with sixel a picture is part of
 * the lines, so a screen that clears its lines one by one would erase what an earlier line has drawn.
 */
export function drawnUpwards(sequence: string, { columns, rows }: Room): PictureBlock {
  const up = rows > 1 ? `\u001b[${rows - 1}A` : "";
  // The cursor's place after a picture differs between terminals, so it is saved and restored.
  const last = `${saveCursor}${up}${sequence}${restoreCursor}`;
  return { columns, rows, lines: [...Array<string>(rows - 1).fill(""), last] };
}

const saveCursor = "\u001b7";
const restoreCursor = "\u001b8";
