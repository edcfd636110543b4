import { type SmallPicture, shrinkPicture } from "./shrink-picture.ts";
import { sharesOf } from "./text-shares.ts";

/** In base64. A plot with fewer bytes is unreadable. */
const leastPicture = 8000;

export interface FitPicturesOptions {
  /** The bytes of the note that replaces a left-out picture. */
  readonly leftOutBytes?: number;
  /** A picture that would become smaller than this is left out. */
  readonly fewestPixels?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a picture that fits: all of it, a smaller one, or nothing. */
type PictureFit = "whole" | SmallPicture | null;

/**
 * Fits pictures into a budget of base64: scales down those that are too large, and if there are too many, leaves out the
 * last ones.
 */
export async function fitPictures(
  pictures: readonly string[],
  budget: number,
  { leftOutBytes = 0, fewestPixels = 0, signal }: FitPicturesOptions = {},
): Promise<readonly PictureFit[]> {
  const sizes = pictures.map(({ length }) => length);
  const count = howManyFit(sizes, budget, leftOutBytes);
  const shares = sharesOf(sizes.slice(0, count), Math.max(0, budget - leftOutBytes * (sizes.length - count)));
  const fitted: PictureFit[] = [];
  for (const [index, base64] of pictures.entries()) {
    const share = shares[index];
    if (share === undefined) fitted.push(null);
    else fitted.push(share === base64.length ? "whole" : await smaller(base64, share, fewestPixels, signal));
  }
  return fitted;
}

/** At least one, regardless of the budget. */
function howManyFit(sizes: readonly number[], budget: number, leftOutBytes: number): number {
  let needed = sizes.length * leftOutBytes;
  const firstTooMany = sizes.findIndex((size) => {
    needed += Math.min(size, leastPicture) - leftOutBytes;
    return needed > budget;
  });
  return firstTooMany === -1 ? sizes.length : Math.max(1, firstTooMany);
}

/** Null when it would become too small, or cannot be decoded. */
async function smaller(
  base64: string,
  share: number,
  fewestPixels: number,
  signal: AbortSignal | undefined,
): Promise<SmallPicture | null> {
  const small = await shrinkPicture(base64, share, signal).catch(() => null);
  signal?.throwIfAborted();
  return small === null || small.width * small.height < fewestPixels ? null : small;
}
