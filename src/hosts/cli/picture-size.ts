export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Width and height as the file's own header gives them; null when the bytes are no such picture. */
export function pictureSize(type: "image/png" | "image/jpeg", bytes: Buffer): PictureSize | null {
  try {
    return type === "image/png" ? pngSize(bytes) : jpegSize(bytes);
  } catch {
    // Reading beyond the end: the picture is cut off.
    return null;
  }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The signature is followed by the header chunk: length, `IHDR`, width, height. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Segments follow each other until a start-of-frame segment tells the size. */
function jpegSize(bytes: Buffer): PictureSize | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isStartOfFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** C0 to CF, except three that define tables. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
