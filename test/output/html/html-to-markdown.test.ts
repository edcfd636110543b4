import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlLimits, htmlToMarkdown } from "../../../src/output/html/html-to-markdown.ts";
import { repetitions } from "../../environment/variants.ts";

const markdown = (html: string) => htmlToMarkdown(html).markdown;

describe("HTML as Markdown", () => {
  test.each<[what: string, html: string, markdown: string]>([
    ["paragraphs and lines", "<p>one\n two<p>three<br>four<div>five</div>", "one two\n\nthree\nfour\nfive"],
    ["headings", "<h1>A</h1><h3>B <b>c</b></h3>text", "# A\n\n### B **c**\n\ntext"],
    ["bold, italic, struck out", "a <b> b </b>c <i>d</i> <del>e</del>", "a **b** c *d* ~~e~~"],
    ["bold inside bold", "<b>a <strong>b</strong> <b>c</b></b>", "**a b c**"],
    ["powers", "10<sup>3</sup>", "10^3"],
    ["links", '<a href="https://x.org/a(b)">t</a>', "[t](https://x.org/a%28b%29)"],
    ["links that are their own text", '<a href="https://x.org/">https://x.org/</a>', "https://x.org/"],
    ["links that lead nowhere", '<a href="javascript:f()">t</a> <a>u</a>', "t u"],
    ["pictures", '<img src="a.png" alt="A | B">', "![A | B](a.png)"],
    ["pictures inside", `<img src="data:image/png;base64,${"A".repeat(4000)}">`, "[image/png, 3.0 KB]"],
    ["lists", "<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"],
    ["numbered lists", '<ol start="9"><li>a<li><p>b<p>c</ol>', "9. a\n10. b\n\n    c"],
    ["quotes", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
    ["terms", "<dl><dt>t<dd>d<dt>u<dd>e</dl>", "**t**\n: d\n**u**\n: e"],
    ["details", "<details><summary>s</summary>body</details>", "**s**\n\nbody"],
    ["rules", "a<hr>b", "a\n\n---\n\nb"],
    ["check boxes", '<input type="checkbox" checked> done', "[x] done"],
    ["code", "<code>a*b</code> <code>`</code> <code><b>x</b></code>", "`a*b` `` ` `` `x`"],
    ["source", '<pre><code class="language-py">if x:\n  <span>y</span></code></pre>', "```py\nif x:\n  y\n```"],
    ["source with fences", "<pre>```\n````</pre>", "`````\n```\n````\n`````"],
    ["entities", "&lt;3 &eacute; &#x1F600; &nbsp;x &unknown; &copy", "<3 é 😀 x &amp;unknown; ©"],
    ["comments, styles, titles", "<!-- a > b --><style>p {}</style><title>t</title>x<!doctype html>", "x"],
    ["quotes in attributes", `<p title='a > "b"' data-x=">">x</p>`, "x"],
    ["a sign that is no tag", "1 < 2 > 0", "1 < 2 > 0"],
  ])("%s", (_what, html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test("text that looks like Markdown stays text", () => {
    expect(markdown("<p># a<p>1. b<p>- c<p>> d<p>`e` *f* _g_ h_i 2 * 3 [j](k) \\* ~~l~~")).toBe(
      "\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n\\`e\\` \\*f\\* \\_g\\_ h_i 2 * 3 [j]\\(k) \\\\\\* \\~~l\\~~",
    );
  });
});

describe("tables", () => {
  test("without headings", () => {
    expect(markdown("<table><tr><td>a<td>b<tr><td>c</table>")).toBe("|  |  |\n| --- | --- |\n| a | b |\n| c |  |");
  });

  test("cells that span: a row can be read alone", () => {
    expect(markdown("<table><tr><th>h<th colspan=2>i<tr><td rowspan=2>A<td colspan=2>B<tr><td>1<td>2</table>")).toBe(
      "| h | i | i |\n| --- | --- | --- |\n| A | B |  |\n| A | 1 | 2 |",
    );
  });

  test("pipes, lines, lists and source in a cell do not break the row", () => {
    const row = markdown("<table><tr><th>h<tr><td>a|b<br>c<ul><li>d</ul><pre>e\nf|g</pre></table>").split("\n").at(-1);
    expect(row).toBe("| a\\|b<br>c<br>- d<br>`e`<br>`f\\|g` |");
  });

  test("a table that only arranges other tables", () => {
    const inner = (name: string) => `<table><tr><th>${name}<tr><td>1</table>`;
    expect(markdown(`<table><tr><td>${inner("a")}<td>${inner("b")}</table>`)).toBe(
      "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 1 |",
    );
  });

  test("a long cell is cut", () => {
    const row = markdown(`<table><tr><td>${"x".repeat(500)}</table>`)
      .split("\n")
      .at(-1);
    expect(row).toBe(`| ${"x".repeat(200)}… |`);
  });

  test("omitted rows are counted, without those of inner tables, and text after the table stays", () => {
    const rows = "<tr><td>x</td><td><table><tr><td>y</table></td></tr>".repeat(500);
    expect(markdown(`<table>${rows}</table><p>after`)).toMatch(/\(showing 60 of 500 rows\)\n\nafter$/);
  });

  test("absurd spans cost nothing", () => {
    const { markdown } = htmlToMarkdown("<table><tr><td colspan=999999999 rowspan=999999999>a<tr><td>b</table>");
    expect(markdown).toContain("(showing 24 of ");
  });
});

describe("HTML of any size and shape ends soon", () => {
  test("of a 20 MB table little more than the shown rows is read", () => {
    const row = `<tr>${"<td>0.123456</td>".repeat(10)}</tr>\n`;
    const count = Math.floor(20_000_000 / row.length);
    const limits = { ...htmlLimits, tokens: 5000 };
    const { markdown, unread } = htmlToMarkdown(`<table>${row.repeat(count)}</table>`, limits);
    expect(unread).toBe(0);
    expect(markdown).toContain(`(showing 60 of ${count.toLocaleString("en-US")} rows)`);
  });

  test("of endless text only so much is read", () => {
    const { markdown, unread, complete } = htmlToMarkdown("<p>hello</p>".repeat(100_000));
    expect(markdown.length).toBeLessThan(200_000);
    expect(unread).toBeGreaterThan(0);
    expect(complete).toBe(false);
  });

  test.each(["<div>", "<b>", "<ul><li>", "<blockquote>", "<table><tr><td>", "<details>", "<a href='", "<pre>", "<q>"])(
    "100,000 open %s",
    (tag) => {
      expect(markdown(tag.repeat(100_000)).length).toBeLessThan(1_000_000);
    },
  );

  test("text in 100,000 elements is found", () => {
    expect(markdown(`${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}`)).toBe("deep");
  });

  test("tag soup never throws and never lets a script through", () => {
    const names = [
      "b",
      "p",
      "a",
      "td",
      "tr",
      "table",
      "ul",
      "li",
      "pre",
      "code",
      "script",
      "style",
      "h1",
      "br",
      "svg",
      "dd",
    ];
    const name = fc.constantFrom(...names);
    const piece = fc.oneof(
      name.map((tag) => `<${tag}>`),
      name.map((tag) => `</${tag}>`),
      name.map((tag) => `<${tag} href='x" rowspan=3 colspan="2`),
      fc.constantFrom("<", ">", "<!--", "-->", "&", "&amp", "</", "<!", "'", '"', "=", "|", "\n", "`", "alert(1)", "é"),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { markdown } = htmlToMarkdown(pieces.join(""));
        expect(markdown.toLowerCase()).not.toContain("<script");
      }),
      { numRuns: repetitions(500) },
    );
  });

  test("stray text between the items of a list stays in its place", () => {
    expect(markdown("<ul><li>one</li>two <b>three</b><li>four</ul>")).toBe("- one\n  two **three**\n- four");
    expect(markdown("<ul><li>one</li><ul><li>inside</ul><li>two</ul>")).toBe("- one\n  - inside\n- two");
  });

  test("text survives: every word outside of tags is in the Markdown, in order", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 });
    const tag = fc.constantFrom(
      "<b>",
      "</b>",
      "<p>",
      "<div>",
      "</div>",
      "<i>",
      "</i>",
      "<li>",
      "<ul>",
      "</ul>",
      "<h2>",
      "</h2>",
      " ",
    );
    fc.assert(
      fc.property(words, fc.array(tag, { minLength: 20, maxLength: 20 }), (words, tags) => {
        const html = words.map((word, at) => `${word} ${tags[at] ?? ""}`).join("");
        expect(markdown(html).match(/[a-z]+/g)).toEqual(words);
      }),
      { numRuns: repetitions(500) },
    );
  });
});
