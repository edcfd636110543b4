import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VtParser } from "../../../src/output/terminal/vt-parser.ts";
import { sanitize } from "../../../src/output/text/sanitize.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyOutput, chunkSizes, inChunks } from "./terminal-output.ts";

describe("everything except text is removed", () => {
  test.each<[what: string, output: string, text?: string]>([
    ["colours", "a\x1b[1;38;5;196mb\x1b[0m\x1b[38:2::1:2:3mc"],
    ["colours, 8-bit", "a\x9b31mb\x9bmc"],
    ["private modes and other sequences with marks", "a\x1b[?25lb\x1b[>4;1m\x1b[0 q\x1b[!pc"],
    ["titles and links", "\x1b]0;title\x07a\x1b]8;;http://x.y\x1b\\b\x1b]8;;\x07\x9d2;x\x9cc"],
    [
      "device, privacy and application strings",
      "a\x1bPq#0;2;0\n~~\x1b\\b\x1b^p\x1b\\\x1b_Gf=24;AAAA\x1b\\\x1bXs\x1b\\\x90d\x9cc",
    ],
    ["character sets and other escapes", "\x1b(Ba\x1b)0\x1b7b\x1b8\x1b=\x1bcc\x1b#8"],
    ["a sequence given up", "a\x1b[12\x18b\x1b]0;x\x1ac"],
    ["a sequence within another", "a\x1b[1\x1b[2mb\x1b]0;x\x1b[mc"],
    ["control characters", "\0a\x01\x02\x07\x0b\x0c\x0e\x0fb\x1f\x7fc\x80\x84\x8d\x99"],
    ["an unfinished sequence at the end", "abc\x1b[12;"],
    ["an unfinished string at the end", "abc\x1b]0;title"],
    ["an escape at the end", "abc\x1b"],
    ["a sequence that ends where no sequence can", "a\x1b[1éb", "aéb"],
    ["an escape before a letter that is none", "a\x1béb", "aéb"],
    ["tabs and line feeds stay", "a\tb\nc\n", "a\tb\nc\n"],
    ["next line", "a\x85b\x1bEc", "a\nb\nc"],
    ["a line feed within a sequence", "a\x1b[3\n1mb", "a\nb"],
    ["lone surrogates", "a\ud800b\udc00c\ud83d", "a\ufffdb\ufffdc\ufffd"],
    ["characters of two units", "😀", "😀"],
    ["overrides of direction", "a\u202eb\u2066c\u2069\u200f\u061c", "a<U+202E>b<U+2066>c<U+2069><U+200F><U+061C>"],
  ])("%s", (_what, output, text = "abc") => {
    expect(sanitize(output)).toBe(text);
  });

  test("from anything: only text, tabs and line feeds remain", () => {
    fc.assert(
      fc.property(anyOutput, (output) => {
        const text = sanitize(output);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
        expect(Buffer.from(text).toString()).toBe(text); // no half characters
        expect(sanitize(text)).toBe(text);
      }),
    );
  });
});

test("how the output is chunked makes no difference", () => {
  fc.assert(
    fc.property(anyOutput, chunkSizes, (output, sizes) => {
      expect(told(inChunks(output, sizes))).toEqual(told([output]));
    }),
    { numRuns: repetitions(300) },
  );
});

describe("a sequence that does not end swallows only so much", () => {
  test("a string: its line", () => {
    expect(sanitize("one \x1b]0;title\ntwo \x9dthree\nfour")).toBe("one \ntwo \nfour");
  });

  test("a device string: a megabyte", () => {
    const picture = `\x1bP${"~".repeat(1024 * 1024)}`;
    expect(sanitize(`${picture}text`)).toBe("text");
  });

  test("a control sequence: as many characters as no sequence has", () => {
    expect(sanitize(`\x1b[${"1".repeat(256)}2 3 4\n`)).toBe("2 3 4\n");
  });
});

/** All events of the parser. A line feed also returns the cursor, so a return right before it may be missing. */
function told(chunks: readonly string[]): string {
  let all = "";
  const add = (piece: string) => {
    all += piece;
  };
  const handler = {
    text: add,
    carriageReturn: () => add("\r"),
    backspace: () => add("\b"),
    sequence: (final: string, parameters: string) => add(`\x1b[${parameters}${final}`),
  };
  const parser = new VtParser();
  for (const chunk of chunks) parser.feed(chunk, handler);
  parser.end(handler);
  return all.replace(/\r+\n/g, "\n");
}
