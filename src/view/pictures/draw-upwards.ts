import type { PictureBlock, Room } from "./picture-block.ts";

/**
 * A block whose last line goes back to the first and draws from there: in iTerm2 and with sixel a picture is what the
 * lines contain, so a screen that clears its lines one after the other would wipe out what an earlier one has drawn.
 */
export function drawnUpwards(sequence: string, { columns, rows }: Room): PictureBlock {
  const up = rows > 1 ? `\u001b[${rows - 1}A` : "";
  // Where the cursor is after a picture is another place in each terminal, hence saved and restored.
  const last = `${saveCursor}${up}${sequence}${restoreCursor}`;
  return { columns, rows, lines: [...Array<string>(rows - 1).fill(""), last] };
}

const saveCursor = "\u001b7";
const restoreCursor = "\u001b8";
