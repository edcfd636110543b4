import fc from "fast-check";
import { expect, test } from "vitest";
import { halfBlockLines } from "../../../src/view/pictures/half-blocks.ts";
import type { ColourDepth } from "../../../src/view/pictures/picture-block.ts";
import { blue, green, nothing, painted, red, white } from "./painted.ts";
import { screenOf } from "./read-screen.ts";

const dark = { background: "dark" } as const;

test("each character shows two pixels in their own colours", async () => {
  const pixels = painted(2, 2, (x, y) => (y === 0 ? [red, green] : [blue, white])[x] ?? nothing);
  const lines = halfBlockLines(pixels, { colors: "true", ...dark });
  expect(await screenOf(lines, 3)).toEqual([
    [
      { text: "▀", foreground: 0xff0000, background: 0x0000ff },
      { text: "▀", foreground: 0x00ff00, background: 0xffffff },
      { text: "", foreground: null, background: null },
    ],
  ]);
});

test("transparent pixels show the terminal's own background", async () => {
  const pixels = painted(3, 2, (x, y) => (x === 2 || y === x ? nothing : red));
  const lines = halfBlockLines(pixels, { colors: "true", ...dark });
  expect(await screenOf(lines, 3)).toEqual([
    [
      { text: "▄", foreground: 0xff0000, background: null },
      { text: "▀", foreground: 0xff0000, background: null },
      { text: " ", foreground: null, background: null },
    ],
  ]);
});

test("half of the last line is empty when the height is odd", async () => {
  const lines = halfBlockLines(
    painted(1, 3, () => red),
    { colors: "true", ...dark },
  );
  const screen = await screenOf(lines, 1);
  expect(screen.map(([cell]) => cell)).toEqual([
    { text: "▀", foreground: 0xff0000, background: 0xff0000 },
    { text: "▀", foreground: 0xff0000, background: null },
  ]);
});

test.each([
  [256, { foreground: 196, background: 21 }],
  [16, { foreground: 9, background: 4 }],
] as const)("with %i colours the nearest are used", async (colors, expected) => {
  const pixels = painted(1, 2, (_, y) => (y === 0 ? red : [0, 0, 240]));
  const [[cell] = []] = await screenOf(halfBlockLines(pixels, { colors, ...dark }), 1);
  expect(cell).toEqual({ text: "▀", ...expected });
});

test("without colours the picture is drawn in letters, as much ink as there is light", () => {
  const pixels = painted(10, 2, (x) => [x * 28, x * 28, x * 28]);
  expect(halfBlockLines(pixels, { colors: 0, background: "dark" })).toEqual([" .:-=+*#%@"]);
  expect(halfBlockLines(pixels, { colors: 0, background: "light" })).toEqual(["@%#*+=-:."]);
});

test("a colour is written once for all consecutive characters that have it", () => {
  const [line = ""] = halfBlockLines(
    painted(50, 2, () => red),
    { colors: "true", ...dark },
  );
  expect(line.match(/38;2/g)).toHaveLength(1);
});

test("lines are as wide as the picture and half as many as its rows, for any content", async () => {
  const level = fc.integer({ min: 0, max: 255 });
  const picture = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc
        .array(fc.tuple(level, level, level, level), { minLength: width * height, maxLength: width * height })
        .map((colours) => painted(width, height, (x, y) => colours[y * width + x] ?? nothing)),
    );
  const depth = fc.constantFrom<ColourDepth>(0, 16, 256, "true");
  await fc.assert(
    fc.asyncProperty(picture, depth, async (pixels, colors) => {
      const lines = halfBlockLines(pixels, { colors, ...dark });
      expect(lines).toHaveLength(Math.ceil(pixels.height / 2));
      const screen = await screenOf(lines, pixels.width + 1);
      // One column more than needed, which nothing may reach.
      for (const row of screen) expect(row.at(-1)).toEqual({ text: "", foreground: null, background: null });
    }),
    { numRuns: 60 },
  );
});
