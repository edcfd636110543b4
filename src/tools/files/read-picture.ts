import type { FileHandle } from "node:fs/promises";
import { fitPicture, pictureLimits } from "../../output/pictures/fit-picture.ts";
import type { PictureHeader } from "../../output/pictures/picture-header.ts";
import { sayBytes } from "../../output/text/say-size.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import type { ToolContent } from "../definition/tool.ts";

/** Clients count the bytes of pictures and refuse results above some 25,000 tokens. */
const mostBytes = 66_000;
const mostFileBytes = 100_000_000;

/** A picture for a model, with a line that describes the original. */
export async function readPicture(
  name: string,
  { type, width, height }: PictureHeader,
  file: { readonly bytes: number; readonly handle: FileHandle },
  signal: AbortSignal | undefined,
): Promise<readonly ToolContent[]> {
  const what = `${type} ${width}x${height}, ${sayBytes(file.bytes)}`;
  if (type === "image/gif" || type === "image/webp") throw cannotBeShown(name, `${what}: only PNG and JPEG can be`);
  if (file.bytes > mostFileBytes) throw cannotBeShown(name, `${what}: it is too large`);
  const { buffer } = await file.handle.read(Buffer.alloc(file.bytes), 0, file.bytes, 0);
  try {
    const fitted = await fitPicture(buffer, { ...pictureLimits, bytes: mostBytes }, signal);
    const size = fitted.bytes === fitted.original.bytes ? "" : `; shown at ${fitted.width}x${fitted.height}`;
    return [
      { type: "text", text: `[${what}${size}]` },
      { type: "image", base64: fitted.bytes.toString("base64"), mimeType: fitted.type },
    ];
  } catch (error) {
    const isOurs = isGranaryError(error, "broken-picture", "picture-too-large");
    throw isOurs ? cannotBeShown(name, `${what}: ${error.message}`) : error;
  }
}

function cannotBeShown(name: string, why: string): GranaryError {
  return new GranaryError("not-shown", `${name} cannot be shown (${why}). Convert it to a PNG first, with Python.`);
}
