import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/view/markdown.ts";
import { visibleWidth } from "../../src/view/text/styled-text.ts";
import { plainTheme } from "../../src/view/theme/theme.ts";
import { repetitions } from "../environment/variants.ts";
import { expectScreen } from "./golden.ts";
import { view } from "./samples.ts";

const lines = (text: string, width = 40): readonly string[] => renderMarkdown(text, { width, theme: plainTheme });

const page = `# Sales by region

Revenue is **up 12 %**, see \`df.sum()\` or [the report](https://example.org/r).
A second line of the same paragraph that is long enough to be wrapped.

## Steps

1. Load the data
   - from CSV
   - or Parquet
2. Plot it

> A quote with a
> second line

\`\`\`python
for x in range(3):  # three
    print(x)
\`\`\`

| region | revenue | note |
|:-------|--------:|:----:|
| north  |   1,200 | ok   |
| 東京   |      90 | a note that is long |

---

~~old~~ snake_case_name and 2 * 3 * 4`;

test("a rendered page", async () => {
  await expectScreen("markdown", renderMarkdown(page, view()), view());
});

test("the same page in twenty columns", async () => {
  await expectScreen("markdown-narrow", renderMarkdown(page, view({ width: 20 })), view({ width: 20 }));
});

describe("details", () => {
  test.each([
    ["underlined headings", "Title\n=====\n\nSub\n---", ["# Title", "", "## Sub"]],
    ["hard line ends", "one  \ntwo\\\nthree", ["one", "two", "three"]],
    ["escapes", "\\*not\\* \\`code\\`", ["*not* `code`"]],
    ["code with backticks", "a ``b`c`` d", ["a b`c d"]],
    ["unclosed markup", "a * b, **c, `d, [e](f", ["a * b, **c, `d, [e](f"]],
    ["pictures", "![a plot](plot.png)", ["[a plot]"]],
    ["addresses", "<https://example.org>", ["https://example.org"]],
    ["an unclosed fence", "```\ncode", ["│ code"]],
    ["indented code", "    x = 1\n\n    y = 2", ["│ x = 1", "│", "│ y = 2"]],
    ["loose lists", "- a\n\n- b", ["• a", "", "• b"]],
    ["items with several paragraphs", "- a\n\n  b\n- c", ["• a", "", "  b", "", "• c"]],
    ["items that continue", "- a\nb\n- c", ["• a b", "• c"]],
    ["a list after a paragraph", "text\n- a", ["text", "", "• a"]],
    ["nested emphasis", "**bold *both* `code`**", ["bold both code"]],
    ["emphasis at the end of bold", "**a *b***", ["a b"]],
    ["a table without edges", "a | b\n--|--\n1 | 2", ["a │ b", "──┼──", "1 │ 2"]],
    ["nothing", "", []],
  ])("%s", (_, text, shown) => {
    expect(lines(text)).toEqual(shown);
  });

  test("a table with too many columns is still readable", () => {
    const many = ["|a|b|c|d|e|f|", "|-|-|-|-|-|-|", "|1|2|3|4|5|6|"].join("\n");
    expect(lines(many, 20)).toEqual(["a | b | c | d | e |", "f", "1 | 2 | 3 | 4 | 5 |", "6"]);
  });
});

describe("for any text", () => {
  const pieces = fc.constantFrom(
    ...[
      "#",
      "# ",
      "> ",
      "- ",
      "1. ",
      "123456789. ",
      "```",
      "`",
      "**",
      "*",
      "_",
      "~~",
      "[",
      "](",
      ")",
      "|",
      "|-|",
      "---",
    ],
    ...["\n", "\n\n", "    ", "  ", "word", "日本語", "👩‍🚀", "\\", "<https://x>", "\t", "\u001b[31m"],
  );
  const anyMarkdown = fc.array(fc.oneof({ weight: 8, arbitrary: pieces }, fc.string({ maxLength: 8 })), {
    maxLength: 40,
  });

  test("every row fits", () => {
    fc.assert(
      fc.property(anyMarkdown, fc.integer({ min: 20, max: 100 }), (parts, width) => {
        for (const row of renderMarkdown(parts.join(""), view({ width }))) {
          expect(visibleWidth(row)).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: repetitions(300) },
    );
  });

  test("words are not lost", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const joint = fc.constantFrom(" ", "\n", "\n\n", "\n- ", "\n> ", " **", "** ", " `", "\n# ", "\n1. ");
    fc.assert(
      fc.property(fc.array(fc.tuple(word, joint), { maxLength: 20 }), (parts) => {
        const text = parts.flat().join("");
        const letters = (shown: string): string => shown.replaceAll(/[^a-z]/g, "");
        expect(letters(lines(text, 60).join(""))).toBe(letters(text));
      }),
    );
  });

  test("a text of only markup characters takes no longer than another", () => {
    for (const sign of ["[", "*", "**a", "a`", "> ", "- ", "![", "_a", "|", "~~", "\\"]) {
      expect(lines(`${sign.repeat(20_000)}\n\nthe end`).at(-1)).toMatch(/the end$/);
    }
  });
});
