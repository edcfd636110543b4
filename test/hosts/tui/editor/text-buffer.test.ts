import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextBuffer } from "../../../../src/hosts/tui/editor/text-buffer.ts";

function buffer(text: string): TextBuffer {
  const at = text.indexOf("|");
  const made = new TextBuffer();
  made.set(text.replace("|", ""), at === -1 ? undefined : at);
  return made;
}

type Act = (buffer: TextBuffer) => void;

function inTurn(...acts: readonly Act[]): Act {
  return (edited) => {
    for (const act of acts) act(edited);
  };
}

const shown = ({ text, cursor }: TextBuffer): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("keys in a text", () => {
  test.each<[what: string, before: string, act: Act, after: string]>([
    ["left over an emoji of many parts", "a👩‍🚀|b", (b) => b.left(), "a|👩‍🚀b"],
    ["right over a letter with an accent", "|e\u0301x", (b) => b.right(), "e\u0301|x"],
    ["backspace takes the whole character", "a👩‍🚀|", (b) => b.deleteBefore(), "a|"],
    ["delete at a line end joins the lines", "a|\nb", (b) => b.deleteAfter(), "a|b"],
    ["up keeps the column", "abc\nde|f", (b) => b.up(), "ab|c\ndef"],
    ["up into a shorter line", "a\nbcd|", (b) => b.up(), "a|\nbcd"],
    [
      "up twice returns to the column",
      "abc\n\nde|f",
      inTurn(
        (b) => b.up(),
        (b) => b.up(),
      ),
      "ab|c\n\ndef",
    ],
    ["down on the last line stays", "ab|c", (b) => b.down(), "ab|c"],
    ["home goes to the text", "    ab|c", (b) => b.lineStart(), "    |abc"],
    ["home again goes to the margin", "    |abc", (b) => b.lineStart(), "|    abc"],
    ["word left", "foo.bar  |", (b) => b.wordLeft(), "foo.|bar  "],
    ["word right", "|  foo.bar", (b) => b.wordRight(), "  foo|.bar"],
    ["delete a word", "foo.bar|", (b) => b.deleteWordBefore(), "foo.|"],
    ["delete to the line end", "ab|cd\nef", (b) => b.deleteToLineEnd(), "ab|\nef"],
    [
      "deleted text can be inserted elsewhere",
      "ab|cd",
      inTurn(
        (b) => b.deleteToLineEnd(),
        (b) => b.lineStart(),
        (b) => b.insertDeleted(),
      ),
      "cd|ab",
    ],
    [
      "undo",
      "ab|cd",
      inTurn(
        (b) => b.insert("x"),
        (b) => b.undo(),
      ),
      "ab|cd",
    ],
  ])("%s", (_what, before, act, after) => {
    const edited = buffer(before);
    act(edited);
    expect(shown(edited)).toBe(after);
  });
});

test("after any keys, the cursor is in the text, and never inside a character", () => {
  const press = fc.constantFrom<Act>(
    (b) => b.left(),
    (b) => b.right(),
    (b) => b.up(),
    (b) => b.down(),
    (b) => b.lineStart(),
    (b) => b.lineEnd(),
    (b) => b.wordLeft(),
    (b) => b.wordRight(),
    (b) => b.deleteBefore(),
    (b) => b.deleteAfter(),
    (b) => b.deleteWordBefore(),
    (b) => b.deleteToLineEnd(),
    (b) => b.insertDeleted(),
    (b) => b.undo(),
    (b) => b.insert("x"),
    (b) => b.insert("\n"),
    (b) => b.insert("😀"),
  );
  const text = fc
    .array(fc.constantFrom("a", "  ", "\n", "é", "👩‍🚀", "日", "🇩🇪", ".", "_"))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.array(press, { maxLength: 30 }), (start, presses) => {
      const edited = buffer(start);
      for (const each of presses) each(edited);
      expect(edited.cursor).toBeGreaterThanOrEqual(0);
      expect(edited.cursor).toBeLessThanOrEqual(edited.text.length);
      const isHalf = /[\ud800-\udbff]$/.test(edited.text.slice(0, edited.cursor));
      expect(isHalf).toBe(false);
    }),
  );
});
