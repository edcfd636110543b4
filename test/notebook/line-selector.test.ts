import { describe, expect, test } from "vitest";
import { parseSelector, selectLines } from "../../src/notebook/text/line-selector.ts";

describe("selecting a part of a notebook", () => {
  test.each([
    ["a.ipynb", { path: "a.ipynb", raw: false, ranges: null }],
    ["a.ipynb:raw", { path: "a.ipynb", raw: true, ranges: null }],
    ["a.ipynb:10-20", { path: "a.ipynb", raw: false, ranges: [{ first: 10, last: 20 }] }],
    ["a.ipynb:raw:7", { path: "a.ipynb", raw: true, ranges: [{ first: 7, last: 7 }] }],
    [
      "C:/b:c/a.ipynb:1-2,5-",
      {
        path: "C:/b:c/a.ipynb",
        raw: false,
        ranges: [
          { first: 1, last: 2 },
          { first: 5, last: Number.POSITIVE_INFINITY },
        ],
      },
    ],
  ])("%s", (selector, expected) => {
    expect(parseSelector(selector)).toEqual(expected);
  });

  test("returns the requested lines, in that order", () => {
    expect(
      selectLines("a\nb\nc\nd", [
        { first: 3, last: 9 },
        { first: 1, last: 1 },
      ]),
    ).toBe("c\nd\na\n");
    expect(selectLines("a\nb", null)).toBe("a\nb");
  });

  test.each(["a:0", "a:5-2", "a:1-2-3", "a:,", "a:1,-3"])("%s is refused with the valid forms", (selector) => {
    expect(() => parseSelector(selector)).toThrow("Lines count from 1: use 10, 10-20, 10- or several with commas.");
  });

  test("lines beyond the end are refused with the number of lines", () => {
    expect(() => selectLines("a\nb\n", [{ first: 3, last: 4 }])).toThrow("There is no line 3: the text has 2 lines.");
  });
});
