import { exifOrientation, upright } from "../../output/pictures/exif-orientation.ts";
import { pictureLimits } from "../../output/pictures/fit-picture.ts";
import { decodeJpeg } from "../../output/pictures/jpeg.ts";
import type { PictureSize, PictureType, Pixels } from "../../output/pictures/picture.ts";
import { type PictureHeader, pictureHeader } from "../../output/pictures/picture-header.ts";
import { decodePng } from "../../output/pictures/png-decode.ts";
import { scaleDown } from "../../output/pictures/scale-down.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** A picture in a result. */
export interface EncodedPicture {
  readonly base64: string;
  readonly mimeType: string;
}

export interface ShowablePicture extends PictureSize {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

/** The picture, if it can be decoded here and is within Granary's size limit; null otherwise. */
export function showablePicture({ base64 }: EncodedPicture): ShowablePicture | null {
  const bytes = Buffer.from(base64, "base64");
  const header = pictureHeader(bytes);
  if (header === null || !isDecodable(header)) return null;
  const { type, width, height } = header;
  if (width === 0 || height === 0 || width * height > pictureLimits.decodedPixels[type]) return null;
  // A camera held upright writes a rotated picture, with its orientation in the metadata.
  const liesOnItsSide = type === "image/jpeg" && exifOrientation(bytes) > 4;
  return liesOnItsSide ? { type, bytes, width: height, height: width } : { type, bytes, width, height };
}

/** The pixels, at most as many as asked for. Throws `GranaryError`. */
export async function pixelsOf(picture: ShowablePicture, size: PictureSize, signal?: AbortSignal): Promise<Pixels> {
  const { type, bytes } = picture;
  const rows = await (type === "image/png" ? decodePng(bytes) : decodeJpeg(bytes, pictureLimits.decodedPixels[type]));
  const orientation = type === "image/jpeg" ? exifOrientation(bytes) : 1;
  const isTurned = orientation > 4;
  if (rows.width !== (isTurned ? picture.height : picture.width))
    throw new GranaryError("broken-picture", "it gives two different sizes");
  const width = Math.min(isTurned ? size.height : size.width, rows.width);
  const height = Math.min(isTurned ? size.width : size.height, rows.height);
  return upright(await scaleDown(rows, { width, height }, signal), orientation);
}

function isDecodable(header: PictureHeader): header is PictureHeader & { readonly type: PictureType } {
  return header.type === "image/png" || header.type === "image/jpeg";
}
