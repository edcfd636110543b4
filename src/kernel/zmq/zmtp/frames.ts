import { GranaryError } from "../../../support/granary-error.ts";

/** One frame of ZMTP 3: a part of a message, or a command. */
export interface ZmtpFrame {
  readonly more: boolean;
  readonly isCommand: boolean;
  readonly body: Buffer;
}

const moreFlag = 1;
const longFlag = 2;
const commandFlag = 4;
const shortHeader = 2;
const longHeader = 9;
const largeBody = 1024 * 1024;

/** The header alone, so that a large body need not be copied. */
export function frameHeader(size: number, { more = false, isCommand = false } = {}): Buffer {
  const flags = (more ? moreFlag : 0) | (isCommand ? commandFlag : 0);
  if (size < 256) return Buffer.from([flags, size]);
  const header = Buffer.alloc(longHeader);
  header[0] = flags | longFlag;
  header.writeBigUInt64BE(BigInt(size), 1);
  return header;
}

/** Finds frames in bytes, in chunks of any size. */
export class FrameReader {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #announced: { readonly flags: number; readonly size: number } | undefined;
  /** The body of a large frame while it arrives: assembled once, instead of kept in pieces and then copied. */
  #body: { readonly bytes: Buffer; filled: number } | undefined;

  /** `limit` is the size of the largest accepted frame; a larger one is an error. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const forBody = this.#body ? chunk.copy(this.#body.bytes, this.#body.filled) : 0;
    if (this.#body) this.#body.filled += forBody;
    if (forBody === chunk.length) return;
    this.#chunks.push(chunk.subarray(forBody));
    this.#length += chunk.length - forBody;
  }

  /** The next whole frame, if there is one. */
  next(): ZmtpFrame | undefined {
    this.#announced ??= this.#header();
    if (this.#announced === undefined) return undefined;
    const { flags, size } = this.#announced;
    const body = size > largeBody ? this.#largeBody(size) : this.#length < size ? undefined : this.take(size);
    if (body === undefined) return undefined;
    this.#announced = undefined;
    return { more: (flags & moreFlag) !== 0, isCommand: (flags & commandFlag) !== 0, body };
  }

  #largeBody(size: number): Buffer | undefined {
    if (this.#body === undefined) {
      const come = this.take(Math.min(size, this.#length));
      this.#body = { bytes: Buffer.allocUnsafeSlow(size), filled: come.length };
      come.copy(this.#body.bytes);
    }
    const { bytes, filled } = this.#body;
    if (filled < size) return undefined;
    this.#body = undefined;
    return bytes;
  }

  /** Exactly so many bytes, which must have come. */
  take(size: number): Buffer {
    const all = this.peek();
    this.#length -= size;
    this.#chunks = this.#length === 0 ? [] : [all.subarray(size)];
    return all.subarray(0, size);
  }

  /** All bytes that have arrived and were not yet taken, as one piece. */
  peek(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  get length(): number {
    return this.#length;
  }

  #header(): { readonly flags: number; readonly size: number } | undefined {
    if (this.#length < shortHeader) return undefined;
    const flags = this.#chunks[0]?.[0] as number;
    if (flags > (moreFlag | longFlag | commandFlag) || (flags & commandFlag && flags & moreFlag)) {
      throw new GranaryError("protocol", `a frame begins with the impossible flags 0x${flags.toString(16)}`);
    }
    const isLong = (flags & longFlag) !== 0;
    if (isLong && this.#length < longHeader) return undefined;
    const header = this.take(isLong ? longHeader : shortHeader);
    const size = isLong ? Number(header.readBigUInt64BE(1)) : (header[1] as number);
    if (size > this.#limit)
      throw new GranaryError("protocol", `a frame of ${size} bytes is announced, and ${this.#limit} is the limit`);
    return { flags, size };
  }
}
