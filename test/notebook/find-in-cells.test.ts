import fc from "fast-check";
import { expect, test } from "vitest";
import { findInCells } from "../../src/notebook/find-in-cells.ts";
import { code, markdown, notebookOf } from "./notebooks.ts";

test("a pattern that would search for ever ends, and names the line", () => {
  const notebook = notebookOf([markdown("# Hi"), code(`x = 1\n${"a".repeat(60)}b`), code("aaa")]);
  const search = (): unknown => findInCells(notebook, /^(a+)+$/u, { limitMs: 100 });
  expect(search).toThrow(expect.objectContaining({ code: "search-too-slow" }));
  expect(search).toThrow("The pattern takes longer than 0.1 s, and stopped at line 2 of cell 1.");
});

test("for any pattern, exactly the lines are found that match by themselves", () => {
  const sources = fc.array(fc.stringMatching(/^[ab\n]{0,12}$/), { maxLength: 5 });
  fc.assert(
    fc.property(sources, fc.constantFrom(/a/u, /ab$/u, /^b/gu, /^$/u, /B/iu), (texts, pattern) => {
      const found = findInCells(notebookOf(texts.map((text) => code(text))), pattern);
      const expected = texts.flatMap((source, index) =>
        source.split("\n").flatMap((text, at) => (text.search(pattern) === -1 ? [] : [[index, at + 1, text]])),
      );
      expect(found.map(({ index, line, text }) => [index, line, text])).toEqual(expected);
    }),
  );
});
