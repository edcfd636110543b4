import { setImmediate } from "node:timers/promises";
import type { PictureRows, PictureSize, Pixels } from "./picture.ts";

/** Rows between two yields to other work of the host. */
const pixelsPerBreath = 2_000_000;

/**
 * A smaller picture in which every pixel is the average of its area, so that thin lines and small print
 * become faint instead of vanishing. Colours are weighted by opacity: transparent pixels do not bleed.
 */
export async function scaleDown(picture: PictureRows, size: PictureSize, signal?: AbortSignal): Promise<Pixels> {
  const shares = columnShares(picture.width, size.width);
  const scaled = new Uint8Array(size.width * size.height * 4);
  const sums = new RowSums(size.width);
  const rowsPerTarget = picture.height / size.height;
  let target = 0;
  let y = 0;
  for (const row of picture.rows()) {
    sums.addRow(row, shares);
    const end = (target + 1) * rowsPerTarget;
    const isLast = target === size.height - 1;
    const inside = isLast ? 1 : Math.min(1, end - y);
    sums.settle(inside);
    y++;
    if (y >= end && !isLast) {
      sums.finish(scaled, target);
      target++;
      sums.settle(1 - inside);
    }
    if ((y * picture.width) % pixelsPerBreath < picture.width) {
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
  sums.finish(scaled, target);
  return { ...size, rgba: scaled };
}

interface ColumnShares {
  /** For each source column: its target column, and its share there; the rest belongs to the next column. */
  readonly target: Uint32Array;
  readonly share: Float64Array;
}

function columnShares(from: number, to: number): ColumnShares {
  const target = new Uint32Array(from);
  const share = new Float64Array(from);
  const columnsPerTarget = from / to;
  for (let x = 0; x < from; x++) {
    const into = Math.min(to - 1, Math.floor(x / columnsPerTarget));
    target[x] = into;
    share[x] = into === to - 1 ? 1 : Math.min(1, (into + 1) * columnsPerTarget - x);
  }
  return { target, share };
}

/** Red, green, blue (each times alpha), alpha and area, summed up for one row of the smaller picture. */
class RowSums {
  static readonly #fields = 5;
  readonly #row: Float64Array;
  readonly #sums: Float64Array;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
    // One extra column takes the share beyond the last, which is 0.
    this.#row = new Float64Array((width + 1) * RowSums.#fields);
    this.#sums = new Float64Array(width * RowSums.#fields);
  }

  addRow(rgba: Uint8Array, { target, share }: ColumnShares): void {
    const row = this.#row;
    row.fill(0);
    for (let x = 0; x < target.length; x++) {
      const alpha = rgba[x * 4 + 3] as number;
      const red = (rgba[x * 4] as number) * alpha;
      const green = (rgba[x * 4 + 1] as number) * alpha;
      const blue = (rgba[x * 4 + 2] as number) * alpha;
      const into = (target[x] as number) * RowSums.#fields;
      const part = share[x] as number;
      add(row, into, red, green, blue, alpha, part);
      if (part < 1) add(row, into + RowSums.#fields, red, green, blue, alpha, 1 - part);
    }
  }

  /** Adds this share of the last added row. */
  settle(part: number): void {
    if (part <= 0) return;
    for (let i = 0; i < this.#sums.length; i++) {
      this.#sums[i] = (this.#sums[i] as number) + (this.#row[i] as number) * part;
    }
  }

  /** Writes the averages and starts the next row. */
  finish(scaled: Uint8Array, y: number): void {
    for (let x = 0; x < this.#width; x++) {
      const [red = 0, green = 0, blue = 0, alpha = 0, area = 0] = this.#sums.subarray(x * RowSums.#fields);
      const to = (y * this.#width + x) * 4;
      if (alpha > 0) {
        scaled[to] = Math.round(red / alpha);
        scaled[to + 1] = Math.round(green / alpha);
        scaled[to + 2] = Math.round(blue / alpha);
      }
      scaled[to + 3] = area > 0 ? Math.round(alpha / area) : 0;
    }
    this.#sums.fill(0);
  }
}

function add(
  sums: Float64Array,
  at: number,
  red: number,
  green: number,
  blue: number,
  alpha: number,
  part: number,
): void {
  sums[at] = (sums[at] as number) + red * part;
  sums[at + 1] = (sums[at + 1] as number) + green * part;
  sums[at + 2] = (sums[at + 2] as number) + blue * part;
  sums[at + 3] = (sums[at + 3] as number) + alpha * part;
  sums[at + 4] = (sums[at + 4] as number) + part;
}
