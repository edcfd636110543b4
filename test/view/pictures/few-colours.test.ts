import { expect, test } from "vitest";
import { withFewColours } from "../../../src/view/pictures/few-colours.ts";
import { noisePixels } from "../../output/pictures/pictures.ts";
import { blue, painted, red, white } from "./painted.ts";

test("a picture with no more colours than allowed keeps them exactly", () => {
  const pixels = painted(30, 10, (x) => [red, blue, white][x % 3] ?? white);
  const few = withFewColours(pixels, 256);
  expect(few.rgba).toEqual(pixels.rgba);
  expect(few.palette).toHaveLength(3);
});

test("every pixel of another gets a palette colour close to its own", () => {
  const pixels = painted(256, 64, (x, y) => [x, y * 4, 128]);
  const few = withFewColours(pixels, 256);
  const palette = new Set(few.palette.map(String));
  expect(few.palette.length).toBeLessThanOrEqual(256);
  let worst = 0;
  let strays = 0;
  for (let at = 0; at < few.rgba.length; at += 4) {
    const colour = [...few.rgba.subarray(at, at + 3)];
    strays += palette.has(String(colour)) ? 0 : 1;
    worst = Math.max(worst, ...colour.map((level, channel) => Math.abs(level - (pixels.rgba[at + channel] ?? 0))));
  }
  expect(strays).toBe(0);
  expect(worst).toBeLessThanOrEqual(24);
});

test("a few pixels of a rare colour stay visible among many others", () => {
  const noise = noisePixels(100, 100);
  const grey = painted(100, 100, (x, y) => {
    const level = noise.rgba[(y * 100 + x) * 4] ?? 0;
    return x === 50 && y < 10 ? red : [level, level, (level + x) % 256];
  });
  const few = withFewColours(grey, 64);
  const [r = 0, g = 255, b = 255] = few.rgba.subarray(50 * 4);
  expect(r).toBeGreaterThan(200);
  expect(g + b).toBeLessThan(80);
});
