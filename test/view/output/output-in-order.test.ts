import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CapturedDisplay, ShownPart } from "../../../src/output/capture.ts";
import { jsonTree } from "../../../src/output/display/json-tree.ts";
import { outputInOrder } from "../../../src/view/output/output-in-order.ts";

const figure = "<Figure size 640x480 with 1 Axes>";

function picture(text = figure, alt = "a"): CapturedDisplay {
  const size = { width: 4, height: 3 };
  const image = { type: "image", mimeType: "image/png", base64: "", alt, ...size } as const;
  return { displayId: null, text, parts: [{ ...image, original: { ...size, bytes: 9 } }] };
}

const whole = (text: string) => ({ text, isWhole: true });
const endOf = (text: string) => ({ text, isWhole: false });

describe("what was displayed is where it happened", () => {
  test("a picture between what was printed before and after it, instead of the text that stands for it", () => {
    const shown = picture();
    expect(outputInOrder(whole(`before\n${figure}\nafter\n`), [shown])).toEqual(["before\n", shown.parts, "after\n"]);
  });

  test("two pictures with the same text, each in its place", () => {
    const [one, two] = [picture(figure, "one"), picture(figure, "two")];
    const text = `${figure}\nbetween\n${figure}\n`;
    expect(outputInOrder(whole(text), [one, two])).toEqual([one.parts, "between\n", two.parts]);
  });

  test("a value as a tree", () => {
    const parts: readonly ShownPart[] = [{ type: "json", value: { a: 1 } }];
    const { text } = jsonTree({ a: 1 });
    const shown = { displayId: null, text, parts };
    expect(outputInOrder(whole(`x\n${text}\ny\n`), [shown])).toEqual(["x\n", parts, "y\n"]);
  });

  test("below its text, where that says more than that there is a picture", () => {
    const shown = picture("the coast in May");
    expect(outputInOrder(whole("the coast in May\nafter\n"), [shown])).toEqual([
      "the coast in May\n",
      shown.parts,
      "after\n",
    ]);
  });

  test("not where its text is only a part of a line", () => {
    const shown = picture();
    const text = `see ${figure}\n${figure}\nnot ${figure}`;
    expect(outputInOrder(whole(text), [shown])).toEqual([`see ${figure}\n`, shown.parts, `not ${figure}`]);
  });

  test("before the end of an output whose beginning is no longer there", () => {
    const [gone, there] = [picture("<gone>"), picture("<there>")];
    expect(outputInOrder(endOf("x\n<there>\ny\n"), [gone, there])).toEqual([gone.parts, "x\n", there.parts, "y\n"]);
  });

  test("after everything when nothing says where", () => {
    const shown = picture("");
    expect(outputInOrder(whole("text\n"), [shown])).toEqual(["text\n", shown.parts]);
    expect(outputInOrder(endOf("text\n"), [shown])).toEqual(["text\n", shown.parts]);
  });
});

test("whatever is printed around pictures stays in order, and nothing is lost", () => {
  const line = fc.stringMatching(/^[ab<>\n]{1,6}$/).map((text) => `${text}\n`);
  const piece = fc.oneof(
    line,
    fc.constantFrom("1", "2").map((name) => picture(`<picture ${name}>`, name)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.map((each) => (typeof each === "string" ? each : `${each.text}\n`)).join("");
      const displays = pieces.filter((each) => typeof each !== "string");
      const flat = outputInOrder(whole(text), displays).map((each) => (typeof each === "string" ? each : nameOf(each)));
      const expected = pieces.map((each) => (typeof each === "string" ? each : nameOf(each.parts)));
      expect(withoutBlanks(flat.join(""))).toBe(withoutBlanks(expected.join("")));
    }),
  );
});

const nameOf = ([part]: readonly ShownPart[]): string => (part?.type === "image" ? `[${part.alt}]` : "");

/** A piece of nothing but line ends is not shown. */
const withoutBlanks = (text: string): string => text.replaceAll("\n", "");
