import { backslash, bytesWhere, newline, quote } from "./bytes.ts";

/** For a few bytes, another view costs more than it saves. */
const longEnough = 4096;

/**
 * Finds the end of a run of plain bytes inside a JSON string: everything except quotes, backslashes
 * and control characters. Nearly all of a large notebook is such bytes, so it compares eight at a time.
 */
export class PlainRun {
  readonly #bytes: Buffer;
  readonly #length: number;
  /** The same memory, four bytes at a time; null where it is short. */
  readonly #view: DataView | null;

  constructor(bytes: Buffer, length = bytes.length) {
    this.#bytes = bytes;
    this.#length = length;
    const { buffer, byteOffset } = bytes;
    this.#view = length >= longEnough ? new DataView(buffer, byteOffset, length) : null;
  }

  end(start: number): number {
    const bytes = this.#bytes;
    const length = this.#length;
    let at = this.#view === null ? start : plainEnd(this.#view, length, start);
    while (at < length && isPlain[bytes[at] as number] === 1) at++;
    return at;
  }

  /**
   * From the quote of one line to the quote of a later one, over lines as Python writes them: each ends with `\n`, and the
   * next follows on a row of its own. Stops before the first line that is different, or the last.
   */
  lines(start: number): number {
    const view = this.#view;
    if (view === null) return start;
    const length = this.#length;
    const last = length - 16;
    let line = start;
    while (line < last) {
      const end = plainEnd(view, length, line + 1);
      if (end > last || view.getInt32(end, true) !== endOfLine || view.getUint8(end + 4) !== newline) return line;
      const next = spacesEnd(view, length, end + 5);
      if (view.getUint8(next) !== quote) return line;
      line = next;
    }
    return line;
  }
}

/**
 * The first special byte, or a position in the last bytes, which the caller has to look at one by one.
 * @param length that of the view, whose own `byteLength` is a call in Node 20: too slow for every line
 */
function plainEnd(view: DataView, length: number, start: number): number {
  const last = length - 8;
  let at = start;
  for (; at <= last; at += 8) {
    const one = special(view.getInt32(at, true));
    const two = special(view.getInt32(at + 4, true));
    if (one !== 0) return at + lowestByte(one);
    if (two !== 0) return at + 4 + lowestByte(two);
  }
  return at;
}

/** The first byte that is not a space, or a position in the last bytes. */
function spacesEnd(view: DataView, length: number, start: number): number {
  const last = length - 4;
  let at = start;
  for (; at <= last; at += 4) {
    const others = view.getInt32(at, true) ^ 0x20202020;
    if (others !== 0) return at + lowestByte(others);
  }
  return Math.min(at, length - 1);
}

/**
 * The classic test for a zero byte, three times: below 0x20, equal to a quote, equal to a backslash. A borrow may mark bytes
 * above a special one, so only the lowest mark counts.
 */
function special(word: number): number {
  const marks = (word - 0x20202020) | ((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101);
  return marks & ~word & 0x80808080;
}

/** The index of the lowest byte with a bit. */
function lowestByte(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3;
}

/** `\n",` as a number. */
const endOfLine = Buffer.from('\\n",').readInt32LE();

const isPlain = bytesWhere((byte) => byte >= 0x20 && byte !== quote && byte !== backslash);
