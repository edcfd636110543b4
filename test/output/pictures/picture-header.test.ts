import { expect, test } from "vitest";
import { pictureHeader } from "../../../src/output/pictures/picture-header.ts";

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
  expect(pictureHeader(content)).toEqual({ type, width: 640, height: 480 });
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a PNG that is cut off", png.subarray(0, 20)],
  ["a JPEG that is cut off", jpeg.subarray(0, 10)],
  ["a JPEG without a frame", bytes("ffd8 ffe0 0002 00")],
])("%s has no header", (_what, content) => {
  expect(pictureHeader(content)).toBeNull();
});
