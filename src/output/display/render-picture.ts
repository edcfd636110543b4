import { isGranaryError } from "../../support/granary-error.ts";
import { type FittedPicture, fitPicture, type PictureLimits, pictureLimits } from "../pictures/fit-picture.ts";
import type { PictureType } from "../pictures/picture.ts";
import type { DisplayPart, RenderedDisplay } from "./display-part.ts";
import { bytesOf, keptBytes } from "./kept-content.ts";

export interface RenderPictureOptions {
  readonly pictures?: PictureLimits;
  readonly signal?: AbortSignal;
}

/** A picture for a model, with its original if it had to be scaled; or one line with the reason for none. */
export async function renderPicture(
  claimedType: PictureType,
  base64: string,
  alt: string,
  { pictures = pictureLimits, signal }: RenderPictureOptions,
): Promise<RenderedDisplay> {
  const bytes = bytesOf(base64);
  try {
    return { text: "", parts: partsOf(await fitPicture(bytes, pictures, signal), alt) };
  } catch (error) {
    if (isGranaryError(error, "broken-picture"))
      return { text: `[${claimedType} is broken: ${error.message}]`, parts: [] };
    if (!isGranaryError(error, "picture-too-large")) throw error;
    const { width, height } = error.details;
    const label = `${claimedType} ${width}x${height}`;
    return { text: "", parts: [keptBytes(claimedType, label, bytes, `not shown: ${error.message}`)] };
  }
}

function partsOf({ type, bytes, width, height, original }: FittedPicture, alt: string): DisplayPart[] {
  const image: DisplayPart = {
    type: "image",
    mimeType: type,
    base64: bytes.toString("base64"),
    width,
    height,
    alt,
    original: { width: original.width, height: original.height, bytes: original.bytes.length },
  };
  if (bytes === original.bytes) return [image];
  const label = `${original.type} ${original.width}x${original.height}`;
  const { label: name } = keptBytes(original.type, label, original.bytes);
  return [image, { ...keptBytes(original.type, label, original.bytes, `shown at ${width}x${height}`), name }];
}
