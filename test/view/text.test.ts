import { visibleWidth as widthInPi } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atBothEnds, clamp, pad } from "../../src/view/text/fit.ts";
import { graphemes } from "../../src/view/text/graphemes.ts";
import { oneLine, printableLines } from "../../src/view/text/printable.ts";
import { firstRows, lastRows } from "../../src/view/text/rows.ts";
import { visibleWidth, withoutStyles } from "../../src/view/text/styled-text.ts";
import { fold, wrapWords } from "../../src/view/text/wrap.ts";
import { unicodeText } from "../unicode-text.ts";
import { dark256 } from "./samples.ts";
import { cellsOf } from "./screen.ts";

const characters = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "日本語",
      "é",
      "e\u0301",
      "👩‍🚀",
      "👍🏽",
      "🇩🇪",
      "❤️",
      "한글",
      "ก\u0e33",
      "ｶﾞ",
      "  ",
      "\u200b",
    ),
  },
);
const styles = fc.constantFrom(dark256.keyword, dark256.error, dark256.link, dark256.comment, (text: string) => text);
/** A styled line, made safe like every text before it is shown. */
const anyLine = fc
  .array(fc.tuple(characters, styles), { maxLength: 12 })
  .map((pieces) => pieces.map(([text, style]) => style(oneLine(text))).join(""));
const anyWidth = fc.integer({ min: 2, max: 60 });

describe("the width of a text", () => {
  test.each([
    ["plain", 5],
    ["日本", 4],
    ["e\u0301", 1],
    ["👩‍🚀", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["👍🏽", 2],
    ["🇩🇪", 2],
    ["1️⃣", 2],
    ["❤️", 2],
    ["❤", 1],
    ["한", 2],
    ["\u1112\u1161\u11ab", 2],
    ["a\u200bb", 2],
    ["กำ", 2],
    ["ｶﾞ", 2],
    ["की", 2],
    [dark256.error("red"), 3],
    ["\u001b]8;;https://example.org\u0007link\u001b]8;;\u0007", 4],
  ])("%j takes %i columns", (text, columns) => {
    expect(visibleWidth(text)).toBe(columns);
  });

  test("never less than pi counts, which refuses lines that are too wide, for every character", () => {
    const tooNarrow: string[] = [];
    for (let code = 0x20; code <= 0x1ffff; code++) {
      if (isOneOfManyAlike(code)) continue;
      const character = oneLine(String.fromCodePoint(code));
      if (widthInPi(character) > visibleWidth(character)) tooNarrow.push(code.toString(16));
    }
    expect(tooNarrow).toEqual([]);
  });
});

/** Ideographs, Hangul, Tangut, surrogates and private use: the first hundred stand for all. */
function isOneOfManyAlike(code: number): boolean {
  const blocks = [
    [0x3400, 0x9fff],
    [0xa000, 0xd7a3],
    [0xd700, 0xf8ff],
    [0x12000, 0x1afff],
  ] as const;
  return blocks.some(([first, last]) => code > first + 100 && code < last - 100) || (code >= 0xd800 && code <= 0xdfff);
}

/** A character wider than a row becomes `…`: a note with a stem and two flags takes more than two columns. */
function everyCharacterFits(line: string, width: number): boolean {
  return [...graphemes(withoutStyles(line))].every((character) => character.width <= width);
}

describe("a line that is too long", () => {
  test("is folded into rows that fit, and nothing is lost", () => {
    fc.assert(
      fc.property(anyLine, anyWidth, (line, width) => {
        const rows = fold(line, width);
        for (const row of rows) expect(widthInPi(row)).toBeLessThanOrEqual(width);
        if (everyCharacterFits(line, width)) expect(rows.map(withoutStyles).join("")).toBe(withoutStyles(line));
      }),
    );
  });

  test("is wrapped between words into rows that fit, and nothing but blanks is lost", () => {
    fc.assert(
      fc.property(anyLine, anyWidth, (line, width) => {
        const rows = wrapWords(line, width);
        for (const row of rows) expect(widthInPi(row)).toBeLessThanOrEqual(width);
        const letters = (text: string) => withoutStyles(text).replaceAll(" ", "");
        if (everyCharacterFits(line, width)) expect(letters(rows.join(""))).toBe(letters(line));
      }),
    );
  });

  test("is wrapped between words only, where its paths should stay copyable", () => {
    const word = fc.stringMatching(/^[a-z/.]{1,30}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 5, max: 60 }), (words, columns) => {
        const rows = wrapWords(words.join(" "), columns, { keepsWords: true });
        expect(rows.join(" ")).toBe(words.join(" "));
        for (const row of rows) expect(row.length <= columns || !row.includes(" ")).toBe(true);
      }),
    );
  });

  test("is clamped to the width, and marks the cut", () => {
    fc.assert(
      fc.property(anyLine, anyWidth, (line, width) => {
        const shown = clamp(line, width);
        expect(widthInPi(shown)).toBeLessThanOrEqual(width);
        if (visibleWidth(line) > width) expect(withoutStyles(shown)).toMatch(/…$/);
        else expect(shown).toBe(line);
      }),
    );
  });

  test("keeps its styles in every row, and no row changes the next one", async () => {
    const rows = fold(`plain ${dark256.keyword("a keyword that is long")} plain`, 10);
    const [first, second, third] = await cellsOf([...rows.slice(0, 2), "unstyled"], 10);
    expect(first?.[6]?.look).not.toBe("");
    expect(second?.map(({ look }) => look)).toEqual(second?.map(() => first?.[6]?.look));
    expect(third?.every(({ look }) => look === "")).toBe(true);
  });

  test("breaks between words, and a word only when it alone is too long", () => {
    expect(wrapWords("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrapWords("see https://example.org/a/long/path now", 12)).toEqual([
      "see",
      "https://exam",
      "ple.org/a/lo",
      "ng/path now",
    ]);
    expect(wrapWords("日本語の文章は空白がない", 10)).toEqual(["日本語の文", "章は空白が", "ない"]);
  });
});

describe("padding", () => {
  test("counts visible characters", () => {
    expect(pad(dark256.error("日本"), 6)).toBe(`${dark256.error("日本")}  `);
    expect(pad("longer", 3)).toBe("longer");
  });

  test("two ends of a line fit, and the right one stays", () => {
    expect(atBothEnds("left", "right", 12)).toBe("left   right");
    expect(atBothEnds("a long left side", "right", 12)).toBe("a lon… right");
    expect(atBothEnds("left", "a right side that is long", 6)).toBe("left …");
  });
});

describe("printable text", () => {
  test("moves no cursor and changes no style", () => {
    expect(printableLines("\u001b[31mred\u001b[0m\u0007\b")).toEqual(["␛[31mred␛[0m␇␈"]);
    expect(oneLine("a\u009b31mb\u007f")).toBe("a<U+009B>31mb␡");
  });

  test("cannot look like other code than it is", () => {
    expect(oneLine("if admin\u202e: pass")).toBe("if admin<U+202E>: pass");
  });

  test("has a line for every kind of line end, and no half characters", () => {
    expect(printableLines("a\nb\r\nc\rd\u2028e\n")).toEqual(["a", "b", "c", "d", "e"]);
    expect(printableLines("")).toEqual([""]);
    expect(oneLine("x\ud83d")).toBe("x\ufffd");
  });

  test("has blanks up to the next tab stop instead of tabs", () => {
    expect(printableLines("a\tb\n日本\tc\n\t\td")).toEqual(["a       b", "日本    c", "                d"]);
  });

  test("is safe for any text", () => {
    fc.assert(
      fc.property(unicodeText(), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
        for (const line of printableLines(text)) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

describe("a preview", () => {
  const lines = ["one", "two is longer", "three"];

  test("has the first rows, and counts the lines that are not shown in full", () => {
    expect(firstRows(lines, 8, 2)).toEqual({ rows: ["one", "two is l"], hidden: 2 });
    expect(firstRows(lines, 8, 3)).toEqual({ rows: ["one", "two is l", "onger"], hidden: 1 });
    expect(firstRows(lines, 8, 9)).toEqual({ rows: ["one", "two is l", "onger", "three"], hidden: 0 });
  });

  test("has the last rows, and counts the lines that are not shown in full", () => {
    expect(lastRows(lines, 8, 2)).toEqual({ rows: ["onger", "three"], hidden: 2 });
    expect(lastRows(lines, 8, 3)).toEqual({ rows: ["two is l", "onger", "three"], hidden: 1 });
    expect(lastRows([], 8, 3)).toEqual({ rows: [], hidden: 0 });
  });
});
