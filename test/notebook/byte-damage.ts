import fc from "fast-check";

/** Bytes cut out of a file and others put in. Some damage does no harm. */
interface ByteDamage {
  readonly at: number;
  readonly cut: number;
  readonly add: Buffer;
}

export const anyByteDamage = (): fc.Arbitrary<ByteDamage> =>
  fc.record({
    at: fc.nat(),
    cut: fc.nat(40),
    add: fc
      .constantFrom("", ",", '"', "\\", "]", "}", "0", "null,", "{}")
      .map((text) => Buffer.from(text))
      .chain((text) => fc.constantFrom(text, Buffer.concat([text, Buffer.of(0xff)]))),
  });

export function withDamage(bytes: Buffer, { at, cut, add }: ByteDamage): Buffer {
  const place = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, place), add, bytes.subarray(place + cut)]);
}
