import fc from "fast-check";
import type { Mark } from "../../../../src/kernel/runner/wire/mark-scanner.ts";
import { unicodeText } from "../../../unicode-text.ts";

/** The mark of the wire in these tests; a real one is random. */
export const mark = "0123456789abcdef0123456789abcdef";

/** A mark as protocol/README.md writes it. */
export function markBytes({ number, frames }: Mark): Buffer {
  const digits = (value: number): string => value.toString(16).padStart(8, "0");
  return Buffer.from(`\0${mark}${digits(number)}${digits(frames)}`, "latin1");
}

/** Output of any kind: text, arbitrary bytes, zero bytes, and beginnings of marks that never become one. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  unicodeText({ maxLength: 40 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom("\0", "\0\0", "\n").map((text) => Buffer.from(text)),
  fc.nat(31).map((length) => Buffer.from(`\0${mark.slice(0, length)}!`)),
);

/** The same bytes in pieces of the given sizes. */
export function* chunked(bytes: Buffer, sizes: Iterable<number>): Generator<Buffer> {
  let start = 0;
  for (const size of sizes) {
    if (start >= bytes.length) return;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}
