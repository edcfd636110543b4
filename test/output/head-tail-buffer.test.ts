import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HeadTailBuffer, type OutputBudget } from "../../src/output/text/head-tail-buffer.ts";
import { repetitions } from "../environment/variants.ts";
import { chunkSizes, inChunks } from "./terminal/terminal-output.ts";

const budget: OutputBudget = { bytes: 100, headBytes: 40, lines: 10, lineBytes: 30 };

describe("a text within the budget", () => {
  test("is shown as it is", () => {
    const text = "one\ntwo\n\nthree";
    expect(show(text)).toEqual({
      head: text,
      tail: "",
      clampedLines: 0,
      totalLines: 4,
      totalBytes: 14,
      shownLines: 4,
      shownBytes: 14,
      elidedLines: 0,
      elidedBytes: 0,
    });
  });

  test("is shown as it is up to the last byte and line of the budget, and not beyond", () => {
    for (const [fitting, tooMuch] of [
      [`${"123456789\n".repeat(9)}123456789\n`, "x"],
      ["\n".repeat(10), "\n"],
      ["x".repeat(30), "x"],
    ] as const) {
      const buffer = new HeadTailBuffer(budget);
      buffer.push(fitting);
      expect(buffer.isOverflowing).toBe(false);
      expect(buffer.show().elidedBytes).toBe(0);
      buffer.push(tooMuch);
      expect(buffer.isOverflowing).toBe(true);
      expect(buffer.show().elidedBytes).toBeGreaterThan(0);
    }
  });
});

describe("of a longer text", () => {
  test("the first and the last lines are shown, and the others are counted", () => {
    const shown = show(Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join(""));
    expect(shown.head).toBe("line 0\nline 1\nline 2\nline 3\n");
    expect(shown.tail).toBe("line 94\nline 95\nline 96\nline 97\nline 98\nline 99\n");
    expect(shown).toMatchObject({ totalLines: 100, shownLines: 10, elidedLines: 90, clampedLines: 0 });
  });

  test("the tail gets the unused budget of the head", () => {
    const shown = show(`short\n${"a line of 28 characters, so.\n".repeat(10)}`);
    expect(shown.head).toBe("short\na line of 28 characters, so.\n");
    expect(shown.shownBytes).toBe(6 + 3 * 29);
  });

  test("a line that is too long loses its middle and says how much that was", () => {
    const shown = show(`before\n${"a".repeat(500)}${"z".repeat(500)}\nafter\n`);
    expect(shown.head + shown.tail).toBe(
      `before\n${"a".repeat(15)}[… 970 bytes of this line left out …]${"z".repeat(15)}\nafter\n`,
    );
    expect(shown).toMatchObject({ clampedLines: 1, elidedLines: 0, elidedBytes: 970, totalLines: 3, shownLines: 3 });
  });

  test("no character is cut, nor a letter from its accents", () => {
    const family = "👩‍👩‍👧";
    for (const character of ["é", "日", "😀", "e\u0301\u0302", family]) {
      const { head } = show(character.repeat(100));
      const [left = "", right = ""] = head.split(/\[… [\d,]+ bytes of this line left out …\]/);
      expect(left + right).toMatch(new RegExp(`^(${character})*$`, "u"));
    }
  });

  test("even a budget of a single byte is respected", () => {
    const buffer = new HeadTailBuffer({ bytes: 1, headBytes: 1, lines: 1, lineBytes: 4096 });
    buffer.push("some text\n");
    expect(buffer.show().shownBytes).toBeLessThanOrEqual(1);
  });
});

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom("\n", "\n\n", "x".repeat(50), "é".repeat(20)),
    ),
  )
  .map((pieces) => pieces.join(""));

const budgets: fc.Arbitrary<OutputBudget> = fc.record({
  bytes: fc.integer({ min: 0, max: 200 }),
  headBytes: fc.integer({ min: 0, max: 200 }),
  lines: fc.integer({ min: 0, max: 20 }),
  lineBytes: fc.integer({ min: 0, max: 80 }),
});

test("for any text and budget: shown and omitted parts add up, and the budget is respected", () => {
  fc.assert(
    fc.property(text, budgets, (text, budget) => {
      const shown = show(text, budget);
      expect(shown.totalBytes).toBe(Buffer.byteLength(text));
      expect(shown.totalLines).toBe(linesIn(text));
      expect(shown.shownLines).toBe(linesIn(shown.head + shown.tail));
      expect(shown.shownBytes + shown.elidedBytes).toBe(shown.totalBytes);
      expect(shown.shownLines + shown.elidedLines).toBe(shown.totalLines);
      expect(shown.shownBytes).toBeLessThanOrEqual(budget.bytes);
      expect(shown.shownLines).toBeLessThanOrEqual(budget.lines);

      const ours = /\[… [\d,]+ bytes? of this line left out …\]/g;
      const [head, tail] = [shown.head, shown.tail].map((part) => part.replace(ours, ""));
      expect(Buffer.byteLength(`${head}${tail}`)).toBe(shown.shownBytes);
      if (shown.clampedLines === 0) {
        expect(text.startsWith(shown.head)).toBe(true);
        expect(text.endsWith(shown.tail)).toBe(true);
      }
    }),
    { numRuns: repetitions(400) },
  );
});

test("how the text was chunked makes no difference", () => {
  fc.assert(
    fc.property(text, budgets, chunkSizes, (text, budget, sizes) => {
      const buffer = new HeadTailBuffer(budget);
      for (const chunk of inWholeCharacters(inChunks(text, sizes))) buffer.push(chunk);
      expect(buffer.show()).toEqual(show(text, budget));
    }),
    { numRuns: repetitions(400) },
  );
});

const linesIn = (text: string): number => text.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;

function show(text: string, limits = budget) {
  const buffer = new HeadTailBuffer(limits);
  buffer.push(text);
  return buffer.show();
}

/** The parser ensures that no chunk ends inside a character. */
function inWholeCharacters(chunks: readonly string[]): string[] {
  const whole: string[] = [];
  let held = "";
  for (const chunk of chunks) {
    const text = held + chunk;
    held = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    whole.push(text.slice(0, text.length - held.length));
  }
  return [...whole, held];
}
