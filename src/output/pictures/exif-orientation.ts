import type { Pixels } from "./picture.ts";

/** The orientation of the camera: 1 is upright; 2 to 8 are rotated and mirrored, as Exif numbers them. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The orientation that a JPEG declares. Encoding it again loses this, so the pixels must then be rotated. */
export function exifOrientation(jpeg: Buffer): Orientation {
  try {
    const exif = exifSegment(jpeg);
    const value = exif === null ? 1 : orientationField(exif);
    return value >= 1 && value <= 8 ? (value as Orientation) : 1;
  } catch {
    // Ignore a segment that points beyond its own end.
    return 1;
  }
}

export function upright({ width, height, rgba }: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return { width, height, rgba };
  const turned = orientation >= 5;
  const size = turned ? { width: height, height: width } : { width, height };
  const source = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const target = new Uint32Array(width * height);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const [fromX, fromY] = origin(orientation, x, y, width - 1, height - 1);
      target[y * size.width + x] = source[fromY * width + fromX] as number;
    }
  }
  return { ...size, rgba: new Uint8Array(target.buffer) };
}

/** The stored position of the pixel at (x, y) of a picture in this orientation. */
function origin(orientation: Orientation, x: number, y: number, right: number, bottom: number): [number, number] {
  const places: Record<Orientation, [number, number]> = {
    1: [x, y],
    2: [right - x, y],
    3: [right - x, bottom - y],
    4: [x, bottom - y],
    5: [y, x],
    6: [y, bottom - x],
    7: [right - y, bottom - x],
    8: [right - y, x],
  };
  return places[orientation];
}

/** The TIFF structure inside the segment APP1, which comes before the picture's own data. */
function exifSegment(jpeg: Buffer): Buffer | null {
  let at = 2;
  while (jpeg.readUInt8(at) === 0xff) {
    const marker = jpeg.readUInt8(at + 1);
    const length = jpeg.readUInt16BE(at + 2);
    const isExif = marker === 0xe1 && jpeg.toString("latin1", at + 4, at + 10) === "Exif\0\0";
    if (isExif) return jpeg.subarray(at + 10, at + 2 + length);
    if (marker === 0xda) return null;
    at += 2 + length;
  }
  return null;
}

function orientationField(tiff: Buffer): number {
  const little = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let field = 0; field < short(directory); field++) {
    const at = directory + 2 + field * 12;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return 1;
}
