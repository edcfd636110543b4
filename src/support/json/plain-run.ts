import { backslash, bytesWhere, quote } from "./bytes.ts";

/** For a few bytes, another view costs more than it saves. */
const longEnough = 4096;

/**
 * Finds the end of a run of plain bytes inside a JSON string: everything except quotes, backslashes
 * and control characters. Nearly all of a large notebook is such bytes, so it compares eight at a time.
 */
export class PlainRun {
  readonly #bytes: Buffer;
  /** The same memory as 32-bit numbers; null where it is short, or not aligned to four bytes. */
  readonly #words: Uint32Array | null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const isWorthIt = bytes.length >= longEnough && bytes.byteOffset % 4 === 0;
    this.#words = isWorthIt ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : null;
  }

  end(start: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let at = start;
    if (this.#words !== null) {
      while ((at & 3) !== 0 && at < length && isPlain[bytes[at] as number] === 1) at++;
      if ((at & 3) === 0) at = plainWordsEnd(this.#words, at >>> 2) * 4;
    }
    while (at < length && isPlain[bytes[at] as number] === 1) at++;
    return at;
  }
}

/** Stops at the first two words that may contain a special byte; it may stop too early, never too late. */
function plainWordsEnd(words: Uint32Array, start: number): number {
  const last = words.length - 1;
  let at = start;
  while (at < last) {
    const one = words[at] as number;
    const two = words[at + 1] as number;
    // The classic test for a zero byte, three times: below 0x20, equal to a quote, equal to a backslash.
    const found =
      (((one - 0x20202020) | ((one ^ 0x22222222) - 0x01010101) | ((one ^ 0x5c5c5c5c) - 0x01010101)) & ~one) |
      (((two - 0x20202020) | ((two ^ 0x22222222) - 0x01010101) | ((two ^ 0x5c5c5c5c) - 0x01010101)) & ~two);
    if ((found & 0x80808080) !== 0) break;
    at += 2;
  }
  return at;
}

const isPlain = bytesWhere((byte) => byte >= 0x20 && byte !== quote && byte !== backslash);
