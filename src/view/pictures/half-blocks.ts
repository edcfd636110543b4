import type { Pixels } from "../../output/pictures/picture.ts";
import { nearestOf16, nearestOf256, type Rgb } from "./nearest-colour.ts";
import type { ColourDepth } from "./picture-block.ts";

export interface HalfBlockOptions {
  readonly colors: ColourDepth;
  readonly background: "dark" | "light";
}

/**
 * Pixels as characters: each shows two of them, one above the other, in its two colours. Without colours each is a
 * letter of matching darkness.
 */
export function halfBlockLines(pixels: Pixels, options: HalfBlockOptions): string[] {
  const rows = Math.ceil(pixels.height / 2);
  const line = options.colors === 0 ? shadedLine : colouredLine;
  return Array.from({ length: rows }, (_, row) => line(pixels, row * 2, options));
}

function colouredLine(pixels: Pixels, y: number, { colors, background }: HalfBlockOptions): string {
  let line = "";
  let current = "";
  for (let x = 0; x < pixels.width; x++) {
    const top = pixelAt(pixels, x, y, background);
    const bottom = pixelAt(pixels, x, y + 1, background);
    const style = styleOf(top, bottom, colors as Exclude<ColourDepth, 0>);
    if (style !== current) line += style === "" ? reset : (current === "" ? "" : reset) + style;
    current = style;
    line += top === null && bottom === null ? " " : top === null ? "▄" : "▀";
  }
  return current === "" ? line : line + reset;
}

const reset = "\u001b[0m";

/** Transparent pixels have no colour: the terminal's background shows there. */
function styleOf(top: Rgb | null, bottom: Rgb | null, depth: Exclude<ColourDepth, 0>): string {
  const above = top ?? bottom;
  if (above === null) return "";
  const below = top === null ? null : bottom;
  return `\u001b[${foreground(above, depth)}${below === null ? "" : `;${ground(below, depth)}`}m`;
}

function foreground(colour: Rgb, depth: Exclude<ColourDepth, 0>): string {
  if (depth === "true") return `38;2;${colour.join(";")}`;
  if (depth === 256) return `38;5;${nearestOf256(colour)}`;
  const index = nearestOf16(colour);
  return String(index < 8 ? 30 + index : 82 + index);
}

function ground(colour: Rgb, depth: Exclude<ColourDepth, 0>): string {
  if (depth === "true") return `48;2;${colour.join(";")}`;
  if (depth === 256) return `48;5;${nearestOf256(colour)}`;
  const index = nearestOf16(colour);
  return String(index < 8 ? 40 + index : 92 + index);
}

/** From nothing to as much ink as a character can hold. */
const shades = " .:-=+*#%@";

function shadedLine(pixels: Pixels, y: number, { background }: HalfBlockOptions): string {
  let line = "";
  for (let x = 0; x < pixels.width; x++) {
    const both = [pixelAt(pixels, x, y, background), pixelAt(pixels, x, y + 1, background)];
    const lights = both.filter((pixel) => pixel !== null).map(brightness);
    const light = lights.length === 0 ? empty[background] : lights.reduce((sum, one) => sum + one, 0) / lights.length;
    // Ink is bright on a dark screen and dark on a bright one.
    const ink = background === "dark" ? light : 1 - light;
    line += shades[Math.min(shades.length - 1, Math.floor(ink * shades.length))];
  }
  return line.trimEnd();
}

const empty = { dark: 0, light: 1 };

function brightness([red, green, blue]: Rgb): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Less opaque pixels are invisible. */
const faintest = 16;

/** Null where nothing is visible, including outside of the picture. */
function pixelAt({ width, height, rgba }: Pixels, x: number, y: number, background: "dark" | "light"): Rgb | null {
  if (y >= height) return null;
  const at = (y * width + x) * 4;
  const alpha = rgba[at + 3] as number;
  if (alpha < faintest) return null;
  const behind = 255 * empty[background];
  const blend = (level: number) => Math.round((level * alpha + behind * (255 - alpha)) / 255);
  return [blend(rgba[at] as number), blend(rgba[at + 1] as number), blend(rgba[at + 2] as number)];
}
