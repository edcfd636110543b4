import { GranaryError } from "../../support/granary-error.ts";
import { exifOrientation, upright } from "./exif-orientation.ts";
import { decodeJpeg, encodeJpeg } from "./jpeg.ts";
import { type PictureSize, type PictureType, type Pixels, rowsOf } from "./picture.ts";
import { pictureHeader } from "./picture-header.ts";
import { decodePng } from "./png-decode.ts";
import { encodePng, isOpaque } from "./png-encode.ts";
import { scaleDown } from "./scale-down.ts";

export interface PictureLimits {
  /** Models scale down larger pictures, so more pixels would cost and have no effect. */
  readonly longestSide: number;
  readonly pixels: number;
  /** Of the file, before base64. */
  readonly bytes: number;
  /** Larger pictures are not decoded: a few hundred bytes can announce gigabytes. */
  readonly decodedPixels: Readonly<Record<PictureType, number>>;
}

export const pictureLimits: PictureLimits = {
  longestSide: 1568,
  pixels: 1_150_000,
  bytes: 1_000_000,
  // JPEG is decoded in JavaScript, about 7 million pixels a second; PNG mostly by zlib.
  decodedPixels: { "image/png": 100_000_000, "image/jpeg": 25_000_000 },
};

/** A picture for a model, and its original. */
export interface FittedPicture extends PictureSize {
  readonly type: PictureType;
  readonly bytes: Buffer;
  readonly original: { readonly type: PictureType; readonly bytes: Buffer } & PictureSize;
}

/**
 * Checks that a picture decodes, and scales it to the limits. A picture within the limits stays the same byte for byte.
 * Throws `broken-picture` or `picture-too-large`.
 */
export async function fitPicture(bytes: Buffer, limits: PictureLimits, signal?: AbortSignal): Promise<FittedPicture> {
  const header = pictureHeader(bytes);
  if (header?.type !== "image/png" && header?.type !== "image/jpeg")
    throw new GranaryError("broken-picture", notAPicture(bytes));
  const { type, width, height } = header;
  if (width === 0 || height === 0) throw new GranaryError("broken-picture", `it is ${width} by ${height} pixels`);
  if (width * height > limits.decodedPixels[type]) throw tooLarge(header, limits.decodedPixels[type]);

  const picture = await (type === "image/png" ? decodePng(bytes) : decodeJpeg(bytes, limits.decodedPixels[type]));
  if (picture.width !== width || picture.height !== height)
    throw new GranaryError("broken-picture", "it gives two different sizes");
  const size = sizeWithin(limits, { width, height });
  const original = { type, bytes, width, height };
  if (size.width === width && size.height === height && bytes.length <= limits.bytes) return { ...original, original };

  const orientation = type === "image/jpeg" ? exifOrientation(bytes) : 1;
  for (let pixels = upright(await scaleDown(picture, size, signal), orientation); ; ) {
    const encoded = await encodeWithin(limits.bytes, pixels, type);
    signal?.throwIfAborted();
    const { width, height } = pixels;
    if (encoded.bytes.length <= limits.bytes || width * height === 1) return { ...encoded, width, height, original };
    const factor = Math.max(0.5, 0.95 * Math.sqrt(limits.bytes / encoded.bytes.length));
    pixels = await scaleDown(rowsOf(pixels), scaledBy(factor, pixels), signal);
  }
}

/** The header is valid, but decoding the picture would take too much. */
function tooLarge({ width, height }: PictureSize, limit: number): GranaryError {
  const megapixels = Math.round(limit / 1_000_000);
  const problem = `it has more than the ${megapixels} megapixels that are decoded here`;
  return new GranaryError("picture-too-large", problem, { details: { width, height } });
}

function notAPicture(bytes: Buffer): string {
  return bytes.length === 0 ? "it is empty" : "its first bytes are those of no PNG and no JPEG";
}

function sizeWithin(limits: PictureLimits, { width, height }: PictureSize): PictureSize {
  const bySide = limits.longestSide / Math.max(width, height);
  const byPixels = Math.sqrt(limits.pixels / (width * height));
  return scaledBy(Math.min(1, bySide, byPixels), { width, height });
}

function scaledBy(factor: number, { width, height }: PictureSize): PictureSize {
  // Never beyond a limit, but rounding must not lose a pixel: 1568 × (1 / 3000) × 3000 is 1568.
  const scaled = (length: number) => Math.max(1, Math.floor(length * factor + 1e-6));
  return { width: scaled(width), height: scaled(height) };
}

/**
 * PNG stays PNG, which is small and sharp for plots. A photograph becomes too large as PNG and
 * turns into JPEG, unless it has transparency, which JPEG does not support.
 */
async function encodeWithin(
  bytes: number,
  pixels: Pixels,
  type: PictureType,
): Promise<{ readonly type: PictureType; readonly bytes: Buffer }> {
  if (type === "image/jpeg") return { type, bytes: await encodeJpeg(pixels) };
  const png = await encodePng(pixels);
  if (png.length <= bytes || !isOpaque(pixels.rgba)) return { type, bytes: png };
  return { type: "image/jpeg", bytes: await encodeJpeg(pixels) };
}
