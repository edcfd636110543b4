import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonText, type Member } from "../../src/settings/sources/json-text.ts";
import { repetitions } from "../environment/variants.ts";

describe("JSON with positions", () => {
  test("reads the same value as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), fc.constantFrom(undefined, 1, "\t"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("accepts and refuses the same texts as JSON.parse, after any insertion or deletion", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "0",
      "-",
      ".",
      "e",
      "u12",
      "true",
      "NaN",
      "-Infinity",
      "//",
      "\n",
      " ",
      "\u0001",
      "é",
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), pieces, (json, place, length, piece) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + piece + json.slice(at + length);
        expect(outcome(() => parse(text))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: repetitions(500) },
    );
  });

  test("has the position of every key, including duplicates", () => {
    const seen: { key: string; line: number; column: number }[] = [];
    const text = new JsonText('{ "a": 1,\n  "b": {"ä": 2},\n  "a": 3 }', (members) => {
      for (const { key, offset } of members) seen.push({ key, ...text.position(offset) });
      return null;
    });
    text.parse();
    expect(seen).toEqual([
      { key: "ä", line: 2, column: 9 },
      { key: "a", line: 1, column: 3 },
      { key: "b", line: 2, column: 3 },
      { key: "a", line: 3, column: 3 },
    ]);
  });
});

function parse(text: string): unknown {
  return new JsonText(text, asPlainObject).parse();
}

function asPlainObject(members: readonly Member[]): object {
  return Object.fromEntries(members.map(({ key, value }) => [key, value]));
}

function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch {
    return "refused";
  }
}
