import { expect, test } from "vitest";
import { pictureSize } from "../../../src/hosts/cli/picture-size.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

const png = bytes("89504e470d0a1a0a 0000000d 49484452 00000280 000001e0");
// Start, an APP0 segment of 4 bytes, a baseline frame: 8 bits, 480 high, 640 wide.
const jpeg = bytes("ffd8 ffe0 0004 4a46 ffc0 0011 08 01e0 0280 03");
// Fill bytes may stand before a marker, and tables before the frame.
const paddedJpeg = bytes("ffd8 ffff ffc4 0003 00 ffc2 0011 08 01e0 0280 03");

test.each([
  ["a PNG", "image/png", png],
  ["a JPEG", "image/jpeg", jpeg],
  ["a progressive JPEG with tables first", "image/jpeg", paddedJpeg],
] as const)("the size of %s is read from its header", (_what, type, content) => {
  expect(pictureSize(type, content)).toEqual({ width: 640, height: 480 });
});

test.each([
  ["nothing", "image/png", Buffer.alloc(0)],
  ["nothing", "image/jpeg", Buffer.alloc(0)],
  ["a PNG that is cut off", "image/png", png.subarray(0, 20)],
  ["a JPEG that is cut off", "image/jpeg", jpeg.subarray(0, 10)],
  ["a JPEG that calls itself a PNG", "image/png", jpeg],
  ["a PNG that calls itself a JPEG", "image/jpeg", png],
  ["a JPEG without a frame", "image/jpeg", bytes("ffd8 ffe0 0002 00")],
] as const)("%s has no size (%s)", (_what, type, content) => {
  expect(pictureSize(type, content)).toBeNull();
});
