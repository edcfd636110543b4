import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { fitPicture, type PictureLimits, pictureLimits } from "../../../src/output/pictures/fit-picture.ts";
import { decodeFirstFrame } from "../../../src/output/pictures/gif-decode.ts";
import { decodeJpeg } from "../../../src/output/pictures/jpeg.ts";
import type { PictureRows } from "../../../src/output/pictures/picture.ts";
import { pictureHeader } from "../../../src/output/pictures/picture-header.ts";
import { decodePng } from "../../../src/output/pictures/png-decode.ts";
import { encodePng } from "../../../src/output/pictures/png-encode.ts";
import { scaleDown } from "../../../src/output/pictures/scale-down.ts";
import { samples, withoutPackages } from "../python-samples.ts";
import { noisePixels, png } from "./pictures.ts";

interface Sample {
  readonly base64: string;
  /** As Pillow sees it, and as numpy averages it down to 10 by 7. */
  readonly rgba: string;
  readonly small: string;
}

const bytes = (base64 = "") => Buffer.from(base64, "base64");
const pixels = (picture: PictureRows) => Buffer.concat(Array.from(picture.rows(), (row) => Buffer.from(row)));
const tiny: PictureLimits = { ...pictureLimits, longestSide: 10 };

describe.skipIf(withoutPackages)("beside Pillow", () => {
  let found: { png: Record<string, Sample>; jpeg: Record<string, Sample>; gif: Record<string, Sample>; turned: Sample };
  beforeAll(() => {
    found = samples("pictures/picture_samples.py");
  });

  test("every kind of PNG has the same pixels, and averages to the same", async () => {
    for (const [kind, sample] of Object.entries(found.png)) {
      const picture = await decodePng(bytes(sample.base64));
      expect(pixels(picture).equals(bytes(sample.rgba)), kind).toBe(true);
      const { rgba } = await scaleDown(picture, { width: 10, height: 7 });
      expect(visibleDifference(rgba, bytes(sample.small)), kind).toBeLessThanOrEqual(1);
    }
  });

  test("every kind of JPEG looks the same", async () => {
    for (const [kind, sample] of Object.entries(found.jpeg)) {
      const picture = await decodeJpeg(bytes(sample.base64), 1000);
      expect(visibleDifference(pixels(picture), bytes(sample.rgba)), kind).toBeLessThanOrEqual(24);
    }
  });

  test("the first frame of every kind of GIF has the same pixels", () => {
    for (const [kind, sample] of Object.entries(found.gif)) {
      const { width, height, rgba } = decodeFirstFrame(bytes(sample.base64), 1000);
      expect({ width, height }, kind).toEqual({ width: 33, height: 21 });
      expect(visibleDifference(rgba, bytes(sample.rgba)), kind).toBe(0);
    }
  });

  test("a GIF that was cut off or damaged shows what it has, or is reported as broken", () => {
    const gif = bytes(found.gif.noise?.base64);
    fc.assert(
      fc.property(fc.nat(gif.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        const damaged = isCut ? gif.subarray(0, at) : Buffer.from(gif).fill(byte, at, at + 1);
        try {
          const { width, height, rgba } = decodeFirstFrame(damaged, 1_000_000);
          expect(rgba).toHaveLength(width * height * 4);
        } catch (error) {
          expect(["broken-picture", "picture-too-large"]).toContain((error as { code?: string }).code);
        }
      }),
    );
  });

  test("a photograph that was taken upright is upright after scaling", async () => {
    const fitted = await fitPicture(bytes(found.turned.base64), tiny);
    expect([fitted.original.width, fitted.original.height]).toEqual([33, 21]);
    expect([fitted.width, fitted.height]).toEqual([6, 10]);
    const rgba = pixels(await decodeJpeg(fitted.bytes, 1000));
    // Red grew from left to right; turned clockwise, it grows from top to bottom.
    expect(rgba[0]).toBeLessThan(60);
    expect(rgba.at(-4)).toBeGreaterThan(190);
  });

  test("a picture that is cut off anywhere is broken, and never passed on", async () => {
    for (const { base64 } of [
      found.png.rgb,
      found.png.palette,
      found.jpeg.baseline,
      found.jpeg.progressive,
    ] as Sample[]) {
      const whole = bytes(base64);
      for (const share of [0.1, 0.5, 0.9, 0.98]) {
        const part = whole.subarray(0, Math.floor(whole.length * share));
        await expect(fitPicture(part, pictureLimits)).rejects.toMatchObject({ code: "broken-picture" });
      }
    }
  });
});

describe("a picture for a model", () => {
  test("that fits is passed on byte for byte", async () => {
    const small = await encodePng(noisePixels(40, 30));
    const fitted = await fitPicture(small, pictureLimits);
    expect(fitted.bytes).toBe(small);
    expect(fitted).toMatchObject({ type: "image/png", width: 40, height: 30 });
  });

  test("that is too long or has too many pixels is scaled, and keeps its shape", async () => {
    const long = await encodePng(noisePixels(400, 20));
    expect(await fitPicture(long, { ...pictureLimits, longestSide: 100 })).toMatchObject({ width: 100, height: 5 });
    expect(await fitPicture(long, { ...pictureLimits, pixels: 2000 })).toMatchObject({ width: 200, height: 10 });
    const line = await encodePng(noisePixels(3000, 1));
    expect(await fitPicture(line, pictureLimits)).toMatchObject({ width: 1568, height: 1 });
  });

  test("that has too many bytes becomes JPEG, or smaller if it has transparency", async () => {
    const opaque = await encodePng(noisePixels(200, 150));
    expect(await fitPicture(opaque, { ...pictureLimits, bytes: 70_000 })).toMatchObject({
      type: "image/jpeg",
      width: 200,
    });
    const shining = await encodePng(noisePixels(200, 150, { transparent: true }));
    const fitted = await fitPicture(shining, { ...pictureLimits, bytes: 40_000 });
    expect(fitted.type).toBe("image/png");
    expect(fitted.bytes.length).toBeLessThanOrEqual(40_000);
    expect(fitted.width).toBeLessThan(200);
  });

  test("with transparent parts does not take colour from them", async () => {
    const rgba = Uint8Array.from([255, 0, 0, 255, 0, 255, 0, 0]);
    const { rgba: mixed } = await scaleDown(await decodePng(await encodePng({ width: 2, height: 1, rgba })), {
      width: 1,
      height: 1,
    });
    expect([...mixed]).toEqual([255, 0, 0, 128]);
  });

  test("that announces gigabytes is refused before it is decoded", async () => {
    const bomb = png({ width: 50_000, height: 50_000, pixels: Buffer.alloc(0) });
    await expect(fitPicture(bomb, pictureLimits)).rejects.toMatchObject({ code: "picture-too-large" });
  });

  test("that holds more than it announces is broken", async () => {
    const bomb = png({ width: 1, height: 1, pixels: Buffer.alloc(10_000_000) });
    await expect(fitPicture(bomb, pictureLimits)).rejects.toMatchObject({ code: "broken-picture" });
  });

  test("stops when the caller aborts", async () => {
    const picture = await encodePng(noisePixels(100, 100));
    await expect(fitPicture(picture, tiny, AbortSignal.abort())).rejects.toThrow();
  });

  test.each<[what: string, content: Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("<html>not found</html>")],
    ["a header alone", png({ width: 1, height: 1, pixels: Buffer.alloc(4) }).subarray(0, 24)],
    ["no width", png({ width: 0, height: 1, pixels: Buffer.alloc(4) })],
    ["an unknown filter", png({ width: 1, height: 1, pixels: Buffer.alloc(4, 9) })],
    ["missing rows", png({ width: 9, height: 9, pixels: Buffer.alloc(4) })],
    ["a wrong checksum", png({ width: 1, height: 1, pixels: Buffer.alloc(4) }).fill(7, 30, 31)],
  ])("%s is a broken picture", async (_what, content) => {
    await expect(fitPicture(content, pictureLimits)).rejects.toMatchObject({ code: "broken-picture" });
  });
});

describe("headers", () => {
  const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
  test.each([
    ["image/gif", Buffer.concat([Buffer.from("GIF89a"), hex("8002 e001")])],
    ["image/jpeg", hex("ffd8 ffe0 0004 4a46 ffc0 0011 08 01e0 0280 03")],
    ["image/webp", Buffer.concat([Buffer.from("RIFF____WEBPVP8X"), hex("00000000 00000000 7f0200 df0100")])],
    ["image/webp", Buffer.concat([Buffer.from("RIFF____WEBPVP8 "), hex("00000000 000000 9d012a 8002 e001")])],
    ["image/webp", Buffer.concat([Buffer.from("RIFF____WEBPVP8L"), hex("00000000 2f 7fc27700")])],
  ])("%s tells its size", (type, content) => {
    expect(pictureHeader(content)).toEqual({ type, width: 640, height: 480 });
  });
});

/** The largest difference of a sample; the colour of what is transparent does not matter. */
function visibleDifference(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length);
  let largest = 0;
  for (let i = 0; i < one.length; i++) {
    const alpha = (one[i - (i % 4) + 3] as number) / 255;
    const weight = i % 4 === 3 ? 1 : alpha;
    largest = Math.max(largest, Math.abs((one[i] as number) - (other[i] as number)) * weight);
  }
  return largest;
}
