import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameReader, frameHeader, type ZmtpFrame } from "../../../../src/kernel/zmq/zmtp/frames.ts";

const limit = 100_000;

describe("frames", () => {
  test("of any size come back as they were sent, wherever the network cuts them", () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.constantFrom(255, 256, 65_536).map((size) => new Uint8Array(size).fill(7)),
    );
    const frame = fc.record({ more: fc.boolean(), body });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.nat(70_000)), (frames, cuts) => {
        const bytes = Buffer.concat(frames.flatMap(({ more, body }) => [frameHeader(body.length, { more }), body]));
        const text = (list: readonly { more: boolean; body: Uint8Array }[]): string[] =>
          list.map(({ more, body }) => `${more} ${Buffer.from(body).toString("latin1")}`);
        expect(text(read(cut(bytes, cuts)))).toEqual(text(frames));
      }),
      { numRuns: 50 },
    );
  });

  test("byte by byte are the same as all at once", () => {
    const bytes = Buffer.concat([frameHeader(300, { more: true }), Buffer.alloc(300, 1), frameHeader(0)]);
    const single = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(read(single)).toEqual(read([bytes]));
  });

  test("announced as larger than the limit are refused before they arrive", () => {
    expect(() => read([frameHeader(limit + 1)])).toThrow("100001 bytes");
    expect(() => read([Buffer.from("02ffffffffffffffff", "hex")])).toThrow(
      expect.objectContaining({ code: "protocol" }),
    );
  });

  test("with flags that do not exist are refused", () => {
    for (const flags of [0x08, 0x80, 0xff, 0x05])
      expect(() => read([Buffer.from([flags, 0])])).toThrow(expect.objectContaining({ code: "protocol" }));
  });

  test("of several megabytes are put together as well, wherever the network has cut them", () => {
    const bodies = [3_000_000, 10, 1_048_577, 0, 2_000_000].map((size, index) => Buffer.alloc(size, index + 1));
    const bytes = Buffer.concat(bodies.flatMap((body) => [frameHeader(body.length), body]));
    for (const size of [bytes.length, 65_536, 999_983]) {
      const reader = new FrameReader(4_000_000);
      const found: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size));
        for (let frame = reader.next(); frame; frame = reader.next()) found.push(frame.body);
      }
      expect(found.map((body, index) => body.equals(bodies[index] as Buffer))).toEqual(bodies.map(() => true));
    }
  });

  test("cannot be made of any bytes that do harm", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 10 }), (chunks) => {
        try {
          read(chunks.map((chunk) => Buffer.from(chunk)));
        } catch (error) {
          expect(error).toMatchObject({ code: "protocol" });
        }
      }),
    );
  });
});

function read(chunks: readonly Buffer[]): ZmtpFrame[] {
  const reader = new FrameReader(limit);
  const frames: ZmtpFrame[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let frame = reader.next(); frame; frame = reader.next()) frames.push(frame);
  }
  return frames;
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...at.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
