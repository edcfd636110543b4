import { backslash, isAt } from "./bytes.ts";
import { parseSpan } from "./parse.ts";
import { JsonScanner } from "./scanner.ts";
import type { JsonValue } from "./value.ts";

/**
 * A JSON object as written in a file: its bytes, and the position of each member. For a duplicate
 * key the last member counts, as in Python.
 */
export class ObjectText {
  /** May be larger than the object: a cell that was never edited points into its whole file. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly size: number;
  readonly #spans: SpanList;
  readonly #firstSpan: number;

  private constructor(bytes: Buffer, start: number, end: number, spans: SpanList, firstSpan: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.size = spans.length - firstSpan;
    this.#spans = spans;
    this.#firstSpan = firstSpan;
  }

  /** @param scanner is at the object's brace, and moves past the object */
  static read(scanner: JsonScanner, spans: SpanList = new SpanList()): ObjectText {
    scanner.skipSpace();
    const start = scanner.at;
    const firstSpan = spans.length;
    scanner.readObject((keyStart, keyEnd) => {
      scanner.skipSpace();
      const valueStart = scanner.at;
      scanner.skipValue();
      spans.add(keyStart, keyEnd, valueStart, scanner.at);
    });
    return new ObjectText(scanner.bytes, start, scanner.at, spans, firstSpan);
  }

  static of(text: string | Buffer): ObjectText {
    return ObjectText.read(new JsonScanner(typeof text === "string" ? Buffer.from(text) : text));
  }

  /** The object with other JSON text as the value of a member. The positions follow from the lengths, so nothing is read again. */
  withValueText(index: number, text: string | Buffer): ObjectText {
    const changed = this.spanAt(index);
    const bytes = this.spliced(changed.valueStart, changed.valueEnd, text);
    const growth = bytes.length - (this.end - this.start);
    const spans = new SpanList();
    for (let at = 0; at < this.size; at++) {
      const { keyStart, keyEnd, valueStart, valueEnd } = this.spanAt(at);
      const moved = (at > index ? growth : 0) - this.start;
      const ends = (at >= index ? growth : 0) - this.start;
      spans.add(keyStart + moved, keyEnd + moved, valueStart + moved, valueEnd + ends);
    }
    return new ObjectText(bytes, 0, bytes.length, spans, 0);
  }

  /** The object's own bytes, with text in place of a part. */
  spliced(start: number, end: number, text: string | Buffer): Buffer {
    const head = start - this.start;
    const length = typeof text === "string" ? Buffer.byteLength(text) : text.length;
    // Not `Buffer.concat`, which would need a buffer for every part.
    const bytes = Buffer.allocUnsafe(head + length + this.end - end);
    this.bytes.copy(bytes, 0, this.start, start);
    if (typeof text === "string") bytes.write(text, head);
    else text.copy(bytes, head);
    this.bytes.copy(bytes, head + length, end, this.end);
    return bytes;
  }

  /** The object's own bytes. */
  get text(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  get keys(): string[] {
    return Array.from({ length: this.size }, (_, index) => this.keyAt(index));
  }

  keyAt(index: number): string {
    const { keyStart, keyEnd } = this.spanAt(index);
    return parseSpan(this.bytes, keyStart, keyEnd) as string;
  }

  /** The index of the member for this key; -1 when there is none. */
  find(key: string): number {
    for (let index = this.size - 1; index >= 0; index--) {
      if (this.#isKey(index, key)) return index;
    }
    return -1;
  }

  has(key: string): boolean {
    return this.find(key) !== -1;
  }

  spanAt(index: number): MemberSpan {
    return this.#spans.get(this.#firstSpan + index);
  }

  spanOf(key: string): MemberSpan | null {
    const index = this.find(key);
    return index === -1 ? null : this.spanAt(index);
  }

  /** The value of a member; undefined when there is none. */
  get(key: string): JsonValue | undefined {
    const span = this.spanOf(key);
    return span === null ? undefined : parseSpan(this.bytes, span.valueStart, span.valueEnd);
  }

  /** Most keys of a file are not the wanted one, so they are not decoded. */
  #isKey(index: number, key: string): boolean {
    const { keyStart, keyEnd } = this.spanAt(index);
    if (keyEnd - keyStart === key.length + 2 && isAt(this.bytes, keyStart + 1, key)) return true;
    return !isPlainAscii(this.bytes, keyStart + 1, keyEnd - 1) && this.keyAt(index) === key;
  }
}

function isPlainAscii(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] === backslash || (bytes[at] as number) >= 0x80) return false;
  }
  return true;
}

export interface MemberSpan {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The spans of very many members: plain numbers in one array; otherwise a notebook's index would outgrow the notebook. */
export class SpanList {
  /** A plain list while there are few: most objects are small, and a typed array is slow to make. */
  #numbers: number[] | Uint32Array = [];
  length = 0;

  add(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.length * 4;
    if (at >= fewNumbers && at === this.#numbers.length) this.#grow();
    this.#numbers[at] = keyStart;
    this.#numbers[at + 1] = keyEnd;
    this.#numbers[at + 2] = valueStart;
    this.#numbers[at + 3] = valueEnd;
    this.length++;
  }

  get(index: number): MemberSpan {
    const at = index * 4;
    return {
      keyStart: this.#numbers[at] as number,
      keyEnd: this.#numbers[at + 1] as number,
      valueStart: this.#numbers[at + 2] as number,
      valueEnd: this.#numbers[at + 3] as number,
    };
  }

  #grow(): void {
    const larger = new Uint32Array(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}

const fewNumbers = 256;
