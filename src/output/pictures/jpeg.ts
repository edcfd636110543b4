import { GranaryError } from "../../support/granary-error.ts";
import { type PictureRows, type Pixels, rowsOf } from "./picture.ts";

/** Decodes a JPEG, progressive, grey and CMYK ones included. Pure JavaScript, so seconds for a large photograph. */
export async function decodeJpeg(jpeg: Buffer, mostPixels: number): Promise<PictureRows> {
  const { default: codec } = await import("jpeg-js");
  try {
    const { width, height, data } = codec.decode(jpeg, {
      useTArray: true,
      tolerantDecoding: false,
      // The header was checked before, but a file may have a second one.
      maxResolutionInMP: mostPixels / 1_000_000,
      maxMemoryUsageInMB: 2048,
    });
    return rowsOf({ width, height, rgba: data });
  } catch (error) {
    throw new GranaryError("broken-picture", `it does not decode (${(error as Error).message})`);
  }
}

const quality = 85;

export async function encodeJpeg({ width, height, rgba }: Pixels): Promise<Buffer> {
  const { default: codec } = await import("jpeg-js");
  return Buffer.from(codec.encode({ width, height, data: rgba }, quality).data);
}
