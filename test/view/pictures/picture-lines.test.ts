import { decode as decodeSixel } from "sixel";
import { describe, expect, test } from "vitest";
import { encodeJpeg } from "../../../src/output/pictures/jpeg.ts";
import { decodePng } from "../../../src/output/pictures/png-decode.ts";
import { encodePng } from "../../../src/output/pictures/png-encode.ts";
import { type PictureOptions, pictureLines } from "../../../src/view/pictures/picture-lines.ts";
import { noisePixels } from "../../output/pictures/pictures.ts";
import { blue, painted, pngOf, red } from "./painted.ts";
import { screenOf } from "./read-screen.ts";

const room: PictureOptions = {
  protocol: "kitty",
  columns: 40,
  rows: 10,
  colors: "true",
  cellPixels: { width: 10, height: 20 },
};
const halves = painted(200, 100, (x) => (x < 100 ? red : blue));

describe("kitty", () => {
  test("gets the picture's own bytes, in chunks that it accepts, and the room to show it in", async () => {
    const noise = noisePixels(120, 60);
    const image = await pngOf(noise);
    const block = await pictureLines(image, { ...room, protocol: "kitty" });
    expect(block).toMatchObject({ columns: 12, rows: 3 });
    expect(block?.lines).toHaveLength(3);
    expect(block?.lines.slice(1)).toEqual(["", ""]);
    const sequences = kittySequences(block?.lines[0] ?? "");
    expect(sequences.length).toBeGreaterThan(1);
    expect(sequences[0]?.keys).toMatchObject({ a: "T", f: "100", C: "1", q: "2", c: "12", r: "3", m: "1" });
    for (const { payload } of sequences) expect(payload.length).toBeLessThanOrEqual(4096);
    expect(sequences.slice(1).map(({ keys }) => keys)).toEqual([
      ...Array(sequences.length - 2).fill({ m: "1" }),
      { m: "0" },
    ]);
    expect(sequences.map(({ payload }) => payload).join("")).toBe(image.base64);
  });

  test("shows a plot in the same size on a dense screen as on a normal one", async () => {
    const plot = await pngOf(painted(640, 480, () => red));
    const large = { ...room, columns: 200, rows: 100 };
    const usual = await pictureLines(plot, { ...large, cellPixels: { width: 9, height: 18 } });
    const dense = await pictureLines(plot, { ...large, cellPixels: { width: 18, height: 36 } });
    expect(usual).toMatchObject({ columns: 72, rows: 27 });
    expect(dense).toMatchObject({ columns: 72, rows: 27 });
  });

  test("gets a PNG even for a JPEG, because it takes nothing else", async () => {
    const jpeg = { base64: (await encodeJpeg(halves)).toString("base64"), mimeType: "image/jpeg" };
    const block = await pictureLines(jpeg, { ...room, protocol: "kitty" });
    const png = Buffer.from(
      kittySequences(block?.lines[0] ?? "")
        .map(({ payload }) => payload)
        .join(""),
      "base64",
    );
    const { width, height } = await decodePng(png);
    expect({ width, height }).toEqual({ width: 200, height: 100 });
  });

  test("distinguishes two places of the same picture", async () => {
    const image = await pngOf(halves);
    const id = async (place: string) => {
      const block = await pictureLines(image, { ...room, protocol: "kitty", place });
      return kittySequences(block?.lines[0] ?? "")[0]?.keys.i;
    };
    expect(await id("cell 1")).toBe(await id("cell 1"));
    expect(await id("cell 1")).not.toBe(await id("cell 2"));
  });

  test("is not sent a megabyte for a few characters of room", async () => {
    const image = { base64: (await encodePng(noisePixels(800, 600))).toString("base64"), mimeType: "image/png" };
    expect(image.base64.length).toBeGreaterThan(1_000_000);
    const block = await pictureLines(image, { ...room, protocol: "kitty", columns: 10, rows: 5 });
    expect(block).toMatchObject({ columns: 10, rows: 4 });
    expect(block?.lines[0]?.length).toBeLessThan(200_000);
  });
});

test("iTerm2 gets the picture's own bytes, drawn from its first line", async () => {
  const image = await pngOf(halves);
  const block = await pictureLines(image, { ...room, protocol: "iterm2" });
  expect(block).toMatchObject({ columns: 20, rows: 5 });
  expect(block?.lines.slice(0, -1)).toEqual(["", "", "", ""]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is tested
  const sequence = /^\u001b7\u001b\[4A\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007\u001b8$/;
  const [, keys = "", payload = ""] = sequence.exec(block?.lines.at(-1) ?? "") ?? [];
  expect(payload).toBe(image.base64);
  const size = Buffer.from(image.base64, "base64").length;
  expect(keys.split(";")).toEqual(["inline=1", `size=${size}`, "width=20", "height=5", "preserveAspectRatio=1"]);
});

describe("sixel", () => {
  test("decodes to the picture's colours, within its room", async () => {
    const block = await pictureLines(await pngOf(halves), { ...room, protocol: "sixel" });
    expect(block).toMatchObject({ columns: 20, rows: 5 });
    expect(block?.lines).toHaveLength(5);
    const { width, height, data8 } = decodeSixel(sixelIn(block?.lines.at(-1) ?? ""));
    expect(width).toBe(200);
    expect(height).toBeLessThanOrEqual(100);
    const pixel = (x: number, y: number) => [...data8.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
    expect(pixel(10, 10)).toEqual([255, 0, 0]);
    expect(pixel(190, 90)).toEqual([0, 0, 255]);
  });

  test("never extends below the last line of its room, which would scroll the screen", async () => {
    for (const rows of [1, 2, 3, 5]) {
      const block = await pictureLines(await pngOf(noisePixels(300, 300)), { ...room, protocol: "sixel", rows });
      const { height } = decodeSixel(sixelIn(block?.lines.at(-1) ?? ""));
      expect(Math.ceil(height / 6) * 6).toBeLessThanOrEqual(rows * 20);
    }
  });
});

describe("half blocks", () => {
  test("show the picture in a terminal without picture support", async () => {
    const block = await pictureLines(await pngOf(halves), { ...room, protocol: "half-block", columns: 20, rows: 10 });
    expect(block).toMatchObject({ columns: 20, rows: 5 });
    const screen = await screenOf(block?.lines ?? [], 21);
    for (const row of screen) {
      expect(row[0]).toEqual({ text: "▀", foreground: 0xff0000, background: 0xff0000 });
      expect(row[19]).toEqual({ text: "▀", foreground: 0x0000ff, background: 0x0000ff });
      expect(row[20]?.text).toBe("");
    }
  });

  test("show a small picture pixel by pixel and not as the few characters that it would cover", async () => {
    const digit = await pngOf(painted(28, 28, () => red));
    expect(await pictureLines(digit, { ...room, protocol: "half-block", rows: 20 })).toMatchObject({
      columns: 28,
      rows: 14,
    });
  });
});

test("no protocol takes more room than given, and each takes as many lines as announced", async () => {
  const shapes = [
    [1, 1],
    [1, 500],
    [500, 1],
    [37, 91],
    [640, 480],
  ] as const;
  for (const [width, height] of shapes) {
    const image = await pngOf(noisePixels(width, height));
    for (const protocol of ["kitty", "iterm2", "sixel", "half-block"] as const) {
      for (const limit of [
        { columns: 1, rows: 1 },
        { columns: 7, rows: 30 },
        { columns: 100, rows: 4 },
      ]) {
        const block = await pictureLines(image, { ...room, protocol, ...limit });
        expect(block?.lines).toHaveLength(block?.rows ?? -1);
        expect(block?.columns).toBeLessThanOrEqual(limit.columns);
        expect(block?.rows).toBeLessThanOrEqual(limit.rows);
      }
    }
  }
});

test.each([
  ["an SVG", Buffer.from("<svg/>")],
  ["a GIF", Buffer.from("GIF89a\u0001\u0000\u0001\u0000")],
  ["nothing", Buffer.alloc(0)],
  ["half a PNG", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAUAAAAF", "base64")],
])("%s is not shown", async (_what, bytes) => {
  const image = { base64: bytes.toString("base64"), mimeType: "image/png" };
  expect(await pictureLines(image, { ...room, protocol: "half-block" })).toBeNull();
});

function kittySequences(line: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is tested
  return [...line.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)].map(([, keys = "", payload = ""]) => ({
    keys: Object.fromEntries(keys.split(",").map((key) => key.split("="))) as Record<string, string>,
    payload,
  }));
}

/** The text between the introducer and the end of the sequence. */
function sixelIn(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is tested
  return /\u001bP[\d;]*q([^\u001b]*)\u001b\\/.exec(line)?.[1] ?? "";
}
