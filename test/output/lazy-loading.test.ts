import { expect, test, vi } from "vitest";
import { renderDisplay } from "../../src/output/display/render-display.ts";
import { encodeJpeg } from "../../src/output/pictures/jpeg.ts";
import { noisePixels } from "./pictures/pictures.ts";

const loaded = vi.hoisted(() => [] as string[]);
vi.mock("entities", async (load) => {
  loaded.push("entities");
  return load();
});
vi.mock("jpeg-js", async (load) => {
  loaded.push("jpeg-js");
  return load();
});

test("a library is loaded on first use, and not before", async () => {
  await renderDisplay({
    "text/plain": "x",
    "text/html": "<b>x</b>",
    "application/json": [1],
    "image/svg+xml": "<svg/>",
  });
  expect(loaded).toEqual([]);
  await renderDisplay({ "text/html": "<b>x</b>" });
  expect(loaded).toEqual(["entities"]);
  await renderDisplay({ "image/jpeg": (await encodeJpeg(noisePixels(8, 8))).toString("base64") });
  expect(loaded).toEqual(["entities", "jpeg-js"]);
});
