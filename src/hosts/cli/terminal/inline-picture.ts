import { randomUUID } from "node:crypto";
import type { MimeBundle } from "../../../kernel/events.ts";
import type { PictureProtocol } from "../../../view/pictures/picture-block.ts";
import type { PictureChoice } from "../../../view/pictures/picture-protocol.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Canvas } from "./canvas.ts";
import { drawingProtocol } from "./drawing-protocol.ts";
import { pictureTypes } from "./place-pictures.ts";

/** Higher pictures would scroll their context off the screen. */
const highestPicture = 24;

/** The pictures of a bundle as terminal lines; none where they cannot be drawn. Loads the drawing code with the first picture. */
export async function drawPictures(
  data: MimeBundle,
  { columns, rows, look }: Canvas,
  context: CommandContext,
  choice: PictureChoice,
): Promise<readonly string[]> {
  const protocol = drawingProtocol(context, look, choice);
  if (protocol === null) return [];
  const { pictureLines } = await import("../../../view/pictures/picture-lines.ts");
  const room = { columns, rows: Math.max(4, Math.min(highestPicture, rows - 2)) };
  const blocks = pictureTypes.map(async (mimeType) => {
    const base64 = data[mimeType];
    if (typeof base64 !== "string") return [];
    // An id of its own, because the terminal would remove the picture of an earlier command.
    const place = randomUUID();
    const block = await pictureLines({ mimeType, base64 }, { ...look, ...room, protocol, place });
    return block === null ? [] : withRoom(block.lines, protocol);
  });
  return (await Promise.all(blocks)).flat();
}

/** Kitty draws over the lines below at once: at the foot of the screen these lines have to exist first. */
function withRoom(lines: readonly string[], protocol: PictureProtocol): readonly string[] {
  const below = lines.length - 1;
  if (protocol !== "kitty" || below === 0) return lines;
  // This moves down, scrolls and keeps the column, which a line feed may not.
  const makeRoom = `${"\u001bD".repeat(below)}\u001b[${below}A`;
  return [makeRoom + lines[0], ...lines.slice(1)];
}
