import { PictureGallery } from "../../view/pictures/picture-gallery.ts";
import { pictureProtocol } from "../../view/pictures/picture-protocol.ts";
import type { ViewOptions } from "../../view/view-options.ts";
import type { PiRow } from "./pi-api.ts";

/** Draws a row's pictures; undefined when there is nothing to draw. */
export type DrawPictures = (row: PiRow) => ViewOptions["pictures"];

const mostColumns = 60;
const mostRows = 24;

/** pi shows pictures where the terminal supports them; in other terminals, half blocks draw them. */
export function rowPictures(env: Readonly<Record<string, string | undefined>>): DrawPictures {
  const protocol = pictureProtocol(env);
  if (protocol !== "half-block" && protocol !== "sixel") return () => undefined;
  const waiting = new Set<PiRow>();
  const gallery = new PictureGallery({ protocol: "half-block", colors: colours(env) }, () => {
    for (const row of waiting) row.invalidate();
    waiting.clear();
  });
  return (row) => (part, width) => {
    if (part.base64 === "") return [];
    waiting.add(row);
    const room = { columns: Math.min(width, mostColumns), rows: mostRows };
    return gallery.block(part, room)?.lines ?? [];
  };
}

function colours({ NO_COLOR, COLORTERM }: Readonly<Record<string, string | undefined>>): 0 | 256 | "true" {
  if (NO_COLOR) return 0;
  return /truecolor|24bit/i.test(COLORTERM ?? "") ? "true" : 256;
}
