import { expect, test } from "vitest";
import { markdownToHtml } from "../../../src/output/html/markdown-to-html.ts";

test("Markdown of Jupyter is HTML: emphasis, lists, tables, code, line by line", () => {
  expect(markdownToHtml("**a** _b_ ~~c~~ `d`")).toBe(
    "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>\n",
  );
  expect(markdownToHtml("|a|\n|-|\n|*b*|")).toContain("<td><em>b</em></td>");
  expect(markdownToHtml("[a][b]\n\n[b]: c")).toBe('<p><a href="c">a</a></p>\n');
});

test("a paragraph of more than 3,000 marks of emphasis shows them, and others are as ever", () => {
  const many = "*a* ".repeat(1600).trim();
  expect(markdownToHtml(`# *b*\n\n${many} <i>\n\n*c*`)).toBe(
    `<h1><em>b</em></h1>\n<p>${many} &lt;i&gt;</p>\n<p><em>c</em></p>\n`,
  );
});

/** Each took minutes. */
test.each(["*a_", "_a*", "**a_", "~a", "~~a", "a!", "\n* *a_"])("no text is slow: %s, 200,000 times", (piece) => {
  expect(markdownToHtml(piece.repeat(200_000)).length).toBeGreaterThan(200_000);
});

test.each(["> ", "1. "])("a text that is nested too deeply is shown as it is: %s", (piece) => {
  const source = `${piece.repeat(20_000)}<b>`;
  expect(markdownToHtml(source)).toContain("&lt;b&gt;");
});
