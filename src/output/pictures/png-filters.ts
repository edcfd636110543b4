/** A PNG row's filter predicts each byte from its neighbours, so that little is left to compress. */
type Prediction = (left: number, above: number, aboveLeft: number) => number;

const predictions: readonly Prediction[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

export function isFilter(number: number): boolean {
  return number < predictions.length;
}

/**
 * Undoes a row's filter in place. `pixelBytes` is the distance to the same sample of the previous pixel.
 * Each filter has its own loop: this runs for every byte of every scaled picture.
 */
export function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const { length } = row;
  const byte = (from: Uint8Array, i: number) => from[i] as number;
  switch (filter) {
    case 1:
      for (let i = pixelBytes; i < length; i++) row[i] = byte(row, i) + byte(row, i - pixelBytes);
      return;
    case 2:
      for (let i = 0; i < length; i++) row[i] = byte(row, i) + byte(above, i);
      return;
    case 3:
      for (let i = 0; i < pixelBytes; i++) row[i] = byte(row, i) + (byte(above, i) >> 1);
      for (let i = pixelBytes; i < length; i++) {
        row[i] = byte(row, i) + ((byte(row, i - pixelBytes) + byte(above, i)) >> 1);
      }
      return;
    case 4:
      for (let i = 0; i < pixelBytes; i++) row[i] = byte(row, i) + byte(above, i);
      for (let i = pixelBytes; i < length; i++) {
        row[i] = byte(row, i) + paeth(byte(row, i - pixelBytes), byte(above, i), byte(above, i - pixelBytes));
      }
      return;
  }
}

/** The row with the filter that leaves the smallest differences: the usual heuristic for good compression. */
export function filtered(row: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  let best = new Uint8Array();
  let smallest = Number.POSITIVE_INFINITY;
  for (const [filter, predict] of predictions.entries()) {
    const candidate = new Uint8Array(row.length + 1);
    candidate[0] = filter;
    let sum = 0;
    for (let i = 0; i < row.length && sum < smallest; i++) {
      const left = i >= pixelBytes ? (row[i - pixelBytes] as number) : 0;
      const aboveLeft = i >= pixelBytes ? (above[i - pixelBytes] as number) : 0;
      const difference = ((row[i] as number) - predict(left, above[i] as number, aboveLeft)) & 0xff;
      candidate[i + 1] = difference;
      sum += difference < 128 ? difference : 256 - difference;
    }
    if (sum < smallest) [best, smallest] = [candidate, sum];
  }
  return best;
}

/** The one of the three neighbours that is nearest to left + above - aboveLeft. */
function paeth(left: number, above: number, aboveLeft: number): number {
  const toLeft = Math.abs(above - aboveLeft);
  const toAbove = Math.abs(left - aboveLeft);
  const toAboveLeft = Math.abs(left + above - 2 * aboveLeft);
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left;
  return toAbove <= toAboveLeft ? above : aboveLeft;
}
