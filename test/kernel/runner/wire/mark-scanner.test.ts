import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Mark, MarkScanner } from "../../../../src/kernel/runner/wire/mark-scanner.ts";
import { anyBytes, chunked, mark, markBytes } from "./marks.ts";

describe("marks are cut out of the bytes", () => {
  test("wherever they stand and however the bytes are chunked", () => {
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (pieces, sizes) => {
        const whole = Buffer.concat(pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : markBytes(piece))));
        expect(scan(chunked(whole, sizes))).toEqual(joined(pieces));
      }),
    );
  });

  test("at the first byte, at the last, and one after the other", () => {
    const marks: Mark[] = [
      { number: 1, frames: 0 },
      { number: 2, frames: 7 },
      { number: 0xffffffff, frames: 0xabcdef01 },
    ];
    expect(scan([Buffer.concat(marks.map(markBytes))])).toEqual(marks);
  });

  test("and what only begins like one is output", () => {
    const near = [Buffer.of(0), Buffer.from(`\0${mark.slice(0, 31)}x`), Buffer.from(`\0\0\0${mark.slice(1)}`)];
    for (const bytes of near) {
      const output = Buffer.concat([bytes, Buffer.from("then more\n")]);
      expect(scan([output])).toEqual([output]);
      expect(scan([...output].map((byte) => Buffer.of(byte)))).toEqual([output]);
    }
  });

  test("and the beginning of one, when nothing more comes, is output too", () => {
    const scanner = new MarkScanner(mark);
    const seen: Buffer[] = [];
    const start = Buffer.from(`text\0${mark.slice(0, 10)}`);
    scanner.scan(
      start,
      (bytes) => seen.push(Buffer.from(bytes)),
      () => undefined,
    );
    const rest = scanner.rest();
    expect(Buffer.concat([...seen, ...(rest ? [rest] : [])])).toEqual(start);
    expect(scanner.rest()).toBe(undefined);
  });
});

const pieces = fc.array(fc.oneof(anyBytes, fc.record({ number: fc.nat(0xffff), frames: fc.nat(0xffff) })), {
  maxLength: 12,
});

function scan(chunks: Iterable<Buffer>): (Buffer | Mark)[] {
  const scanner = new MarkScanner(mark);
  const seen: (Buffer | Mark)[] = [];
  for (const chunk of chunks) {
    scanner.scan(
      chunk,
      (bytes) => seen.push(Buffer.from(bytes)),
      (found) => seen.push(found),
    );
  }
  const rest = scanner.rest();
  if (rest) seen.push(rest);
  return joined(seen);
}

/** Neighbouring bytes as one piece, and no empty ones. */
function joined(pieces: readonly (Buffer | Mark)[]): (Buffer | Mark)[] {
  const result: (Buffer | Mark)[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (Buffer.isBuffer(piece) && Buffer.isBuffer(last)) result[result.length - 1] = Buffer.concat([last, piece]);
    else if (!Buffer.isBuffer(piece) || piece.length > 0) result.push(piece);
  }
  return result;
}
