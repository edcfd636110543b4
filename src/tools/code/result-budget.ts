import type { ToolContext } from "../context/tool-context.ts";

/**
 * What a result may have, in bytes as clients count them: some refuse more than about 25,000 tokens, four bytes each, and
 * count the base64 of pictures as if it were text. The rest of the tokens is for what the protocol adds.
 */
export const usualResultBytes = 90_000;

/** Bytes of a result that are neither output nor pictures: links, notes, and what programs read. */
const besides = 4000;
const leastForPictures = 24_000;

/** How much of a result may be text: the host does not cut what is within this. */
export function textBytes({ resultBytes, runtime }: ToolContext, beside: "nothing" | "pictures" = "nothing"): number {
  const room = resultBytes - besides - (beside === "pictures" ? leastForPictures : 0);
  return Math.min(runtime.settings.output.budgetBytes, room);
}

/** How much is left for pictures beside so much text. */
export function pictureBytes({ resultBytes }: ToolContext, textLength: number): number {
  return Math.max(leastForPictures, Math.min(resultBytes, usualResultBytes) - besides - textLength);
}
