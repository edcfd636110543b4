import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderTracebackLines } from "../../../src/view/output/traceback.ts";
import { withoutStyles } from "../../../src/view/text/styled-text.ts";
import { plainTheme } from "../../../src/view/theme/theme.ts";
import { dark256 } from "../samples.ts";

const { error, muted, number, keyword } = dark256;

describe("a traceback", () => {
  test("of Python: the locations, the code, the markers below it, and the exception", () => {
    const text = [
      "Traceback (most recent call last):",
      '  File "<cell 1>", line 1, in <module>',
      "    return 1/0",
      "           ~^~",
      "ZeroDivisionError: division by zero",
      "in two lines",
    ].join("\n");
    expect(renderTracebackLines(text, dark256)).toEqual([
      muted("Traceback (most recent call last):"),
      muted('  File "<cell 1>", line 1, in <module>'),
      `    ${keyword("return")} ${number("1")}/${number("0")}`,
      error("           ~^~"),
      error("ZeroDivisionError: division by zero"),
      error("in two lines"),
    ]);
  });

  test("of IPython: the arrow is before the line that failed", () => {
    const text = ["Cell In[1], line 2", "      1 a = 1", "----> 2 a/0", "", "ZeroDivisionError: division by zero"];
    expect(renderTracebackLines(text.join("\n"), dark256)).toEqual([
      muted("Cell In[1], line 2"),
      `${muted("      1 ")}a = ${number("1")}`,
      `${error("----> 2 ")}a/${number("0")}`,
      "",
      error("ZeroDivisionError: division by zero"),
    ]);
  });

  test("with a cause, repeated frames and left-out frames: only the exception is red", () => {
    const text = [
      "Traceback (most recent call last):",
      '  File "a.py", line 1, in f',
      "    f()",
      "  [Previous line repeated 996 more times]",
      "  [2 frames in json]",
      "  [the frame above repeated 3 more times]",
      "KeyError: 1",
      "",
      "The above exception was the direct cause of the following exception:",
      "",
      "ValueError                    Traceback (most recent call last)",
      "ValueError",
    ];
    const red = renderTracebackLines(text.join("\n"), dark256).filter((line) =>
      line.startsWith(error("x").split("x")[0] ?? ""),
    );
    expect(red.map(withoutStyles)).toEqual(["KeyError: 1", "ValueError"]);
  });

  test("of a group keeps its margin", () => {
    const text = [
      "  + Exception Group Traceback (most recent call last):",
      '  |   File "a.py", line 1, in f',
      "  |     f()",
    ];
    expect(renderTracebackLines(text.join("\n"), plainTheme)).toEqual(text);
  });

  test("has the same text with and without styles, for any input", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('  File "a.py", line 1, in f', "    code()", "Cell In[1], line 2", "----> 2 a/0", "    ^^^"),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        expect(renderTracebackLines(text, dark256).map(withoutStyles)).toEqual(renderTracebackLines(text, plainTheme));
      }),
    );
  });
});
