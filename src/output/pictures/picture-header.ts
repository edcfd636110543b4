import type { PictureSize, PictureType } from "./picture.ts";

export interface PictureHeader extends PictureSize {
  readonly type: PictureType | "image/gif" | "image/webp";
}

/**
 * The format and size that the first bytes of a picture declare; null for an unknown format. Reading these costs
 * nothing, so callers refuse pictures that are too large before decoding them.
 */
export function pictureHeader(bytes: Buffer): PictureHeader | null {
  try {
    return png(bytes) ?? jpeg(bytes) ?? gif(bytes) ?? webp(bytes);
  } catch {
    // Reading beyond the end: the header itself is cut off.
    return null;
  }
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The signature is followed by the header chunk: length, `IHDR`, width, height. */
function png(bytes: Buffer): PictureHeader | null {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Segments follow each other up to a start-of-frame segment, which has the size. */
function jpeg(bytes: Buffer): PictureHeader | null {
  if (!startsWith(bytes, 0, "\xff\xd8\xff")) return null;
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isStartOfFrame(marker)) {
      return { type: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** C0 to CF, except three that define tables. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function gif(bytes: Buffer): PictureHeader | null {
  if (!startsWith(bytes, 0, "GIF8")) return null;
  return { type: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** WebP has three kinds, each with its own encoding of the size. */
function webp(bytes: Buffer): PictureHeader | null {
  if (!startsWith(bytes, 0, "RIFF") || !startsWith(bytes, 8, "WEBP")) return null;
  const size = webpSize(bytes);
  return size && { type: "image/webp", ...size };
}

function webpSize(bytes: Buffer): PictureSize | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
    }
    default:
      return null;
  }
}

function startsWith(bytes: Buffer, at: number, signature: string): boolean {
  return bytes.toString("latin1", at, at + signature.length) === signature;
}
