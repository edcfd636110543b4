import { drawnUpwards } from "./draw-upwards.ts";
import type { PictureBlock, Room } from "./picture-block.ts";

/**
 * iTerm2's inline images; the terminal decodes any format itself.
 * @see https://iterm2.com/documentation-images.html
 */
export function iterm2Block(picture: Buffer, room: Room): PictureBlock {
  const size = `width=${room.columns};height=${room.rows};preserveAspectRatio=1`;
  const sequence = `\u001b]1337;File=inline=1;size=${picture.length};${size}:${picture.toString("base64")}\u0007`;
  return drawnUpwards(sequence, room);
}
