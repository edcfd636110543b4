import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeHtml } from "../../../src/output/html/safe-html.ts";
import { repetitions } from "../../environment/variants.ts";

describe("foreign HTML keeps its meaning", () => {
  test.each([
    [
      "a table",
      "<table border=1><tr><td colspan=2>1</td></tr></table>",
      '<table><tr><td colspan="2">1</td></tr></table>',
    ],
    [
      "a link",
      '<a href="https://a.b/?x=1&amp;y">z</a>',
      '<a href="https://a.b/?x=1&amp;y" rel="noopener noreferrer">z</a>',
    ],
    ["entities", "a &lt; b &amp; c", "a &lt; b &amp; c"],
    ["a picture in it", '<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA" alt="">'],
    ["what is left open", "<div><p>x", "<div><p>x</p></div>"],
    ["what is closed twice", "</main></div><b>x</b></b>", "<b>x</b>"],
  ])("%s", (_what, html, safe) => {
    expect(safeHtml(html)).toBe(safe);
  });
});

describe("foreign HTML is harmless", () => {
  test.each([
    "<script>alert(1)</script>",
    "<ScRiPt src=//x></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    '<img src="https://tracker/x.png">',
    '<img src="data:image/svg+xml;base64,AAAA">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" jAvAsCrIpT:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<object data=x></object><embed src=x><base href=//x>",
    '<form action="//x"><button>send</button><input type=text></form>',
    '<div style="position:fixed;inset:0" onclick=alert(1) id=x class=y>x</div>',
    "<meta http-equiv=refresh content=0;url=//x><link rel=stylesheet href=//x>",
    "<style>@import '//x'</style>",
    "<template><img src=x onerror=alert(1)></template>",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<!--><img src=x onerror=alert(1)>-->",
    "<details open ontoggle=alert(1)>x</details>",
    "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
  ])("%s", (html) => {
    expectHarmless(safeHtml(html));
  });

  test("for any input", () => {
    const piece = fc.constantFrom(
      ...["<", ">", '"', "'", "=", "/", " ", "\n", "\0", "&", "&lt;", "<!--", "-->", "<![CDATA[", "]]>"],
      ...["script", "style", "img", "svg", "a", "div", "td", "textarea", "iframe", "math", "template", "title"],
      ...["src", "href", "onerror", "style", "javascript:alert(1)", "data:image/png;base64,AA", "https://x", "#"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const safe = safeHtml(pieces.join(""));
        expectHarmless(safe);
        expect(safeHtml(safe)).toBe(safe);
      }),
      { numRuns: repetitions(2000) },
    );
  });
});

/** Every tag in it is one that `safeHtml` writes, to the letter; everything else is text. */
function expectHarmless(html: string): void {
  const rest = html.replace(/<\/?[a-z][a-z0-9]*(?: [a-z]+="[^"<>]*"| disabled| checked)*>/g, (tag) => {
    expect(tag).not.toMatch(/ (?!href|rel|src|alt|width|height|colspan|rowspan|start|type)[a-z]+="/);
    expect(tag).not.toMatch(/^<\/?(?:script|style|iframe|svg|object|embed|form|base|meta|link|math|template)\b/);
    expect(tag).not.toMatch(/ src="(?!data:image\/(?:png|jpeg|gif|webp);)/);
    expect(tag).not.toMatch(/ href="(?!https?:\/\/|mailto:|#)/i);
    return "";
  });
  expect(rest).not.toMatch(/[<>]/);
}
