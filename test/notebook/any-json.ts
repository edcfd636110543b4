import fc from "fast-check";

/** JSON as people and programs write it: any value, in any formatting. */

/** A number with its spelling, which a careless editor would lose. */
class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Sketch =
  | string
  | number
  | boolean
  | null
  | Spelled
  | readonly Sketch[]
  | { readonly [key: string]: Sketch };

const spellings = ["1.0", "1e+20", "-0.0", "12345678901234567890", "0.1000", "NaN", "Infinity", "-Infinity", "1E5"];

/** Few characters, but each of them has caused a bug somewhere. */
const character = fc.constantFrom(
  ...'ab \n\r\t"\\/#%[]{}:,é\u0000\u001b\u007f\u0085\u2028\ufeff日',
  "\r\n",
  "\ud800",
  "\udc00",
  "🌾",
);

export const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: character, maxLength: 12 }),
    fc.constantFrom(
      "",
      "é",
      "日本\u2028",
      "a\nb\r\nc\rd",
      '"\\/',
      "\ud800",
      "\u0000\u001b[31m",
      "x\u007f\u0085y",
      "🌾\n",
    ),
  );

export const anySketch = (): fc.Arbitrary<Sketch> =>
  fc.letrec<{ value: Sketch }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(
        anyText(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom(...spellings).map((text) => new Spelled(text)),
      ),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(anyText(), fc.constantFrom("10", "2", "__proto__")), tie("value"), { maxKeys: 4 }),
    ),
  })).value;

export interface Formatting {
  /** A number of spaces, or a tab; null keeps everything on one line; `chaos` has space everywhere it is allowed. */
  readonly indent: string | null | "chaos";
  readonly newline: "\n" | "\r\n";
  readonly separators: readonly [comma: string, colon: string];
  readonly escapes: "raw" | "ascii" | "chaos";
  readonly seed: number;
}

export const anyFormatting = (): fc.Arbitrary<Formatting> =>
  fc.record({
    indent: fc.constantFrom(" ", "  ", "    ", "\t", "", null, "chaos" as const),
    newline: fc.constantFrom("\n", "\r\n"),
    separators: fc.constantFrom([", ", ": "] as const, [",", ":"] as const),
    escapes: fc.constantFrom("raw", "ascii", "chaos"),
    seed: fc.integer(),
  });

/** Writes a sketch in the given formatting. */
export function print(sketch: Sketch, formatting: Formatting): string {
  const next = randomNumbers(formatting.seed);
  const space = () => (formatting.indent === "chaos" ? (["", " ", "\n", "\r\n\t", "   "][next() % 5] as string) : "");
  const [comma, colon] = formatting.separators;

  const container = (open: string, items: string[], close: string, depth: number): string => {
    const { indent, newline } = formatting;
    if (items.length === 0) return open + space() + close;
    if (indent === null || indent === "chaos") {
      const between = indent === null ? comma : ",";
      return open + space() + items.join(space() + between + space()) + space() + close;
    }
    const inner = newline + indent.repeat(depth + 1);
    return open + inner + items.join(`,${inner}`) + newline + indent.repeat(depth) + close;
  };
  const value = (part: Sketch, depth: number): string => {
    if (part instanceof Spelled) return part.text;
    if (typeof part === "string") return quoted(part, formatting.escapes, next);
    if (typeof part !== "object" || part === null) return JSON.stringify(part);
    if (Array.isArray(part)) {
      return container(
        "[",
        part.map((item) => value(item, depth + 1)),
        "]",
        depth,
      );
    }
    const members = Object.entries(part).map(([key, item]) => {
      const written = quoted(key, formatting.escapes, next);
      const between = formatting.indent === "chaos" ? `${space()}:${space()}` : colon;
      return written + between + value(item, depth + 1);
    });
    return container("{", members, "}", depth);
  };
  return value(sketch, 0);
}

function quoted(text: string, escapes: Formatting["escapes"], next: () => number): string {
  const json = JSON.stringify(text);
  if (escapes === "raw") return json;
  const isEscaped = (character: string) => character > "\u007e" || (escapes === "chaos" && next() % 4 === 0);
  const inside = json.slice(1, -1).replace(/\\u....|\\.|./gs, (part) => {
    return part.length === 1 && isEscaped(part) ? `\\u${part.charCodeAt(0).toString(16).padStart(4, "0")}` : part;
  });
  return `"${inside}"`;
}

/** The same numbers for the same seed, so that fast-check can repeat and shrink. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}
