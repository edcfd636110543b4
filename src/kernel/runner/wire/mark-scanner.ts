/** A place in both byte pipes: see "Order: marks" in protocol/README.md. */
export interface Mark {
  readonly number: number;
  /** How many frames come before the bytes that follow. */
  readonly frames: number;
}

const digits = 8;

/** Cuts marks out of one byte pipe, wherever the chunks happen to end. */
export class MarkScanner {
  readonly #prefix: Buffer;
  readonly #length: number;
  #held: Buffer | undefined;

  constructor(mark: string) {
    this.#prefix = Buffer.from(`\0${mark}`, "latin1");
    this.#length = this.#prefix.length + 2 * digits;
  }

  /** Calls back with bytes and marks in their order. Bytes are only valid during the call. */
  scan(chunk: Buffer, onBytes: (bytes: Buffer) => void, onMark: (mark: Mark) => void): void {
    let bytes = chunk;
    if (this.#held) {
      bytes = Buffer.concat([this.#held, chunk]);
      this.#held = undefined;
    }
    let start = 0;
    // Zero bytes are rare, so this search alone is the cost for ordinary output.
    for (let zero = bytes.indexOf(0); zero !== -1; zero = bytes.indexOf(0, zero + 1)) {
      const candidate = bytes.subarray(zero, zero + this.#length);
      if (!this.#couldBeMark(candidate)) continue;
      if (zero > start) onBytes(bytes.subarray(start, zero));
      if (candidate.length < this.#length) {
        this.#held = Buffer.from(candidate);
        return;
      }
      onMark(this.#decode(candidate));
      start = zero + this.#length;
      zero = start - 1;
    }
    if (start < bytes.length) onBytes(bytes.subarray(start));
  }

  /** The beginning of what might have become a mark, when nothing more comes. */
  rest(): Buffer | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  #couldBeMark(candidate: Buffer): boolean {
    const comparable = Math.min(candidate.length, this.#prefix.length);
    return candidate.compare(this.#prefix, 0, comparable, 0, comparable) === 0;
  }

  #decode(mark: Buffer): Mark {
    const at = this.#prefix.length;
    return {
      number: Number.parseInt(mark.toString("latin1", at, at + digits), 16),
      frames: Number.parseInt(mark.toString("latin1", at + digits, at + 2 * digits), 16),
    };
  }
}
