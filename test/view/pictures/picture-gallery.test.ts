import { expect, test } from "vitest";
import { PictureGallery } from "../../../src/view/pictures/picture-gallery.ts";
import { until } from "../../kernel/until.ts";
import { painted, pngOf, red } from "./painted.ts";

const options = { protocol: "half-block", colors: "true" } as const;
const limit = { columns: 10, rows: 10 };
const image = await pngOf(painted(20, 20, () => red));

test("a picture's room is reserved at once, and the picture follows when it is decoded", async () => {
  let ready = 0;
  const gallery = new PictureGallery(options, () => ready++);
  const reserved = gallery.block(image, limit);
  expect(reserved).toEqual({ columns: 10, rows: 5, lines: ["", "", "", "", ""] });
  expect(gallery.block(image, limit)).toBe(reserved);
  await until("the picture is there", () => ready > 0);
  expect(gallery.block(image, limit)?.lines[0]).toContain("▀▀▀▀▀▀▀▀▀▀");
  expect(ready).toBe(1);
});

test("an unsupported picture is known at once, or after the first attempt", async () => {
  let ready = 0;
  const gallery = new PictureGallery(options, () => ready++);
  expect(gallery.block({ base64: "PHN2Zy8+", mimeType: "image/svg+xml" }, limit)).toBeNull();
  const cut = { ...image, base64: image.base64.slice(0, 60) };
  expect(gallery.block(cut, limit)).not.toBeNull();
  await until("it was tried", () => ready > 0);
  expect(gallery.block(cut, limit)).toBeNull();
});

test("everything is drawn again when the terminal turns out to support more", async () => {
  let ready = 0;
  const gallery = new PictureGallery(options, () => ready++);
  gallery.block(image, limit);
  gallery.change({ protocol: "kitty" });
  gallery.block(image, limit);
  await until("the picture is there", () => gallery.block(image, limit)?.lines[0] !== "");
  expect(gallery.block(image, limit)?.lines[0]).toContain("\u001b_G");
});
