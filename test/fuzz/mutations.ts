import type { SeededRandom } from "../chaos/random.ts";

/** Bytes that formats give a meaning to. */
const pieces = [
  ...'\n|\r|\0|\x1b[|\x1b]|\\|"|{|}|[|]|:|,|<|>|&|%|# %%|-1|1e999|NaN|null|true|{}|[]|\\ud800|\u{1f600}|../|__proto__'.split(
    "|",
  ),
  ...["\x1b[999999999A", "9".repeat(30), "[".repeat(300), "<b>".repeat(100), "\u0301".repeat(50), "a".repeat(3000)],
].map((text) => Buffer.from(text));
const numbers = [0, 1, 2, 127, 128, 255];

/** A sample with some bytes changed, removed, repeated, inserted, or joined with another sample. */
export function mutated(samples: readonly Buffer[], random: SeededRandom): Buffer {
  let bytes: Buffer = random.pick(samples);
  for (let times = random.between(0, 5); times > 0; times--) bytes = once(bytes, samples, random);
  return bytes;
}

function once(bytes: Buffer, samples: readonly Buffer[], random: SeededRandom): Buffer {
  const at = random.between(0, bytes.length);
  const until = Math.min(bytes.length, at + random.between(1, 12));
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (random.between(0, 7)) {
    case 0:
      return Buffer.concat([before, Buffer.from([random.pick(numbers)]), bytes.subarray(until)]);
    case 1:
      return Buffer.concat([before, bytes.subarray(until)]);
    case 2:
      return Buffer.concat([before, random.pick(pieces), after]);
    case 3:
      return Buffer.concat([before, random.pick(pieces), bytes.subarray(until)]);
    case 4:
      return Buffer.concat([before, bytes.subarray(at, until), bytes.subarray(at, until), after]);
    case 5:
      return before;
    case 6: {
      const other = random.pick(samples);
      return Buffer.concat([before, other.subarray(random.between(0, other.length))]);
    }
    default: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at % copy.length] = random.between(0, 255);
      return copy;
    }
  }
}

/** The bytes as a socket may deliver them. */
export function inRandomChunks(bytes: Buffer, random: SeededRandom): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const size = random.between(1, random.chance(0.5) ? 9 : bytes.length);
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
}

const values: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    "",
    "x",
    "..",
    "/",
    "\0",
    "\ud800",
    "a".repeat(5000),
    [],
    {},
    [[]],
    [null],
  ],
  { __proto__: null, constructor: 1 },
];

/** A value with some of its members changed, removed or added. */
export function mutatedValue(value: unknown, random: SeededRandom, depth = 0): unknown {
  if (random.chance(depth === 0 ? 0.05 : 0.15)) return random.pick(values);
  if (Array.isArray(value)) {
    const changed = value.map((item) => mutatedValue(item, random, depth + 1));
    return random.chance(0.1) ? [...changed, ...changed] : changed;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([key, item]) =>
    random.chance(0.1) ? [] : [[random.chance(0.05) ? `${key}_` : key, mutatedValue(item, random, depth + 1)] as const],
  );
  return Object.fromEntries(members);
}
