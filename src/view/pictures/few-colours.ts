import type { Pixels } from "../../output/pictures/picture.ts";
import type { Rgb } from "./nearest-colour.ts";

/** Opaque pixels with few enough colours for a palette. */
export interface FewColours extends Pixels {
  readonly palette: readonly Rgb[];
}

/**
 * The same picture in at most this many colours. A picture with fewer keeps them exactly, as most plots do; in others
 * the most similar ones are merged. No dithering: it would make a plot's flat areas grainy.
 */
export function withFewColours(pixels: Pixels, most: number): FewColours {
  const exact = distinctColours(pixels, most);
  if (exact !== null) return { ...pixels, palette: exact.map(fromKey) };
  const { boxes, boxOfBin } = medianCut(histogramOf(pixels), most);
  const palette = boxes.map(({ mean }) => mean);
  const rgba = new Uint8Array(pixels.rgba.length);
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = palette[boxOfBin[binAt(pixels.rgba, at)] as number] as Rgb;
    rgba.set(colour, at);
    rgba[at + 3] = 255;
  }
  return { width: pixels.width, height: pixels.height, rgba, palette };
}

/** Null when there are too many. */
function distinctColours({ rgba }: Pixels, most: number): number[] | null {
  const colours = new Set<number>();
  for (let at = 0; at < rgba.length; at += 4) {
    colours.add(((rgba[at] as number) << 16) | ((rgba[at + 1] as number) << 8) | (rgba[at + 2] as number));
    if (colours.size > most) return null;
  }
  return [...colours];
}

function fromKey(key: number): Rgb {
  return [key >> 16, (key >> 8) & 255, key & 255];
}

/** Colours that differ only in the lowest three bits of a channel are counted together. */
function binAt(rgba: Uint8Array, at: number): number {
  return (((rgba[at] as number) >> 3) << 10) | (((rgba[at + 1] as number) >> 3) << 5) | ((rgba[at + 2] as number) >> 3);
}

interface Bin {
  readonly bin: number;
  readonly count: number;
  readonly mean: Rgb;
}

function histogramOf({ rgba }: Pixels): Bin[] {
  const sums = new Float64Array(32_768 * 4);
  for (let at = 0; at < rgba.length; at += 4) {
    const to = binAt(rgba, at) * 4;
    sums[to] = (sums[to] as number) + 1;
    for (let channel = 0; channel < 3; channel++) {
      sums[to + 1 + channel] = (sums[to + 1 + channel] as number) + (rgba[at + channel] as number);
    }
  }
  const bins: Bin[] = [];
  for (let bin = 0; bin < 32_768; bin++) {
    const [count = 0, red = 0, green = 0, blue = 0] = sums.subarray(bin * 4, bin * 4 + 4);
    if (count > 0) bins.push({ bin, count, mean: [red / count, green / count, blue / count] });
  }
  return bins;
}

interface Box {
  readonly bins: readonly Bin[];
  readonly mean: Rgb;
  /** The median of its colours in the widest channel. */
  readonly middle: number;
  /** The channel in which its colours differ most, and how visible the difference is. */
  readonly widest: 0 | 1 | 2;
  readonly spread: number;
}

/** Splits the most varied box until there are enough. */
function medianCut(bins: readonly Bin[], most: number): { boxes: readonly Box[]; boxOfBin: Uint16Array } {
  let boxes = [boxOf(bins)];
  while (boxes.length < most) {
    const widest = boxes.reduce((one, other) => (other.spread > one.spread ? other : one));
    if (widest.spread === 0) break;
    boxes = [...boxes.filter((box) => box !== widest), ...cut(widest)];
  }
  const boxOfBin = new Uint16Array(32_768);
  for (const [index, box] of boxes.entries()) for (const { bin } of box.bins) boxOfBin[bin] = index;
  return { boxes, boxOfBin };
}

/** At its mean, so that a few pixels of a rare colour are not lost among many of a common one. */
function cut({ bins, widest, middle }: Box): [Box, Box] {
  const below = bins.filter((bin) => bin.mean[widest] <= middle);
  const above = bins.filter((bin) => bin.mean[widest] > middle);
  return [boxOf(below), boxOf(above)];
}

function boxOf(bins: readonly Bin[]): Box {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const exact = channels.map((channel) => bins.reduce((sum, bin) => sum + bin.mean[channel] * bin.count, 0) / total);
  const spreads = channels.map((channel) =>
    bins.reduce((sum, bin) => sum + bin.count * (bin.mean[channel] - (exact[channel] as number)) ** 2, 0),
  );
  const widest = channels.reduce((one, other) => ((spreads[other] as number) > (spreads[one] as number) ? other : one));
  const mean = exact.map(Math.round) as unknown as Rgb;
  const isOne = bins.length === 1;
  return { bins, mean, widest, middle: exact[widest] as number, spread: isOne ? 0 : (spreads[widest] as number) };
}

const channels = [0, 1, 2] as const;
