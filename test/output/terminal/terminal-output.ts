import fc from "fast-check";
import { unicodeText } from "../../unicode-text.ts";

const word = fc.constantFrom("a", "bc", "DEF", "  ", "12345678", "é", "日本", "e\u0301x", "\t");
const movement = fc.oneof(
  fc.constantFrom("\r", "\b", "\n", "\r\n", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[H"),
  fc
    .record({ final: fc.constantFrom(..."ABCDEFG"), count: fc.integer({ min: 0, max: 9 }) })
    .map(({ final, count }) => `\x1b[${count || ""}${final}`),
  fc.tuple(fc.nat(7), fc.nat(20)).map(([row, column]) => `\x9b${row};${column}H`),
);
const unseen = fc.constantFrom(
  "\x1b[31m",
  "\x9b0m",
  "\x1b]0;title\x07",
  "\x1b(B",
  "\x1bPq#1~~\x1b\\",
  "\x1b[?25l",
  "\x07",
);

/** Well-formed terminal output of progress bars and other programs, for a terminal of some rows. */
export const terminalOutput = fc
  .array(fc.oneof({ weight: 3, arbitrary: word }, { weight: 2, arbitrary: movement }, { weight: 1, arbitrary: unseen }))
  .map((pieces) => pieces.join(""));

const fragment = fc.oneof(
  fc.constantFrom(
    "\x1b",
    "\x1b[",
    "\x9b",
    "\x1b]",
    "\x9d8;;",
    "\x1bP",
    "\x07",
    "\x1b\\",
    "\x9c",
    ";",
    "1",
    "A",
    "K",
    "J",
    "m",
  ),
  fc.constantFrom("\ud83d", "\ude00", "😀", "\u202e", "\u2066", "\0", "\x7f", "\x18", "\x85", "<", "e\u0301", "👩‍👩‍👧"),
  fc.constantFrom(
    "\u200b",
    "\u200c",
    "\u200d",
    "\ufe0f",
    "🏴",
    "\u{e0067}\u{e0062}",
    "\u{e0065}",
    "\u{e007f}",
    "\u{e0041}",
    "س",
    "❤",
    "1",
    "\u20e3",
  ),
  unicodeText({ maxLength: 8 }),
);

/** Anything at all. */
export const anyOutput = fc
  .array(fc.oneof(terminalOutput, fragment, fc.constant("\n")))
  .map((pieces) => pieces.join(""));

/** Cuts a text at any places, between any two units. */
export function inChunks(text: string, sizes: Iterable<number>): string[] {
  const chunks: string[] = [];
  let rest = text;
  for (const size of sizes) {
    if (rest === "") break;
    chunks.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return chunks;
}

export const chunkSizes = fc.infiniteStream(fc.integer({ min: 1, max: 12 }));
