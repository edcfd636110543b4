import type { PictureBlock, Room } from "./picture-block.ts";

/** The protocol's limit for one escape sequence. */
const chunkLength = 4096;

/**
 * Kitty's graphics protocol. The picture is drawn where the first line begins and covers the empty ones after it; the
 * cursor stays. A screen removes it by its id.
 * @see https://sw.kovidgoyal.net/kitty/graphics-protocol/
 */
export function kittyBlock(png: Buffer, { columns, rows }: Room, id: number): PictureBlock {
  const payload = png.toString("base64");
  const pieces = payload.match(new RegExp(`.{1,${chunkLength}}`, "g")) ?? [];
  const sequence = pieces.map((piece, index) => {
    // a=T: transmit and show; f=100: a PNG; q=2: no answers, which would look like typing; C=1: the cursor stays.
    const first = index === 0 ? `a=T,f=100,q=2,C=1,c=${columns},r=${rows},i=${id},` : "";
    return `\u001b_G${first}m=${index === pieces.length - 1 ? 0 : 1};${piece}\u001b\\`;
  });
  return { columns, rows, lines: [sequence.join(""), ...Array<string>(rows - 1).fill("")] };
}
