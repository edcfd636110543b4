import { sayBytes } from "../text/say-size.ts";
import { codeSpan, escapeText } from "./escape-markdown.ts";
import { attribute } from "./html-attribute.ts";

export interface SpanWrap {
  readonly wrap: (markdown: string) => string;
  readonly verbatim: boolean;
}

/** Elements with the same meaning: nested, the inner mark would end the outer one. */
export function isSameMark(one: string, other: string): boolean {
  const meaning: Record<string, string> = { strong: "b", em: "i", var: "i", s: "del", strike: "del" };
  return (meaning[one] ?? one) === (meaning[other] ?? other);
}

/** The effect of an inline element on its content. */
export function spanWrap(name: string, attributes: string): SpanWrap {
  switch (name) {
    case "b":
    case "strong":
      return marked("**");
    case "i":
    case "em":
    case "var":
      return marked("*");
    case "del":
    case "s":
    case "strike":
      return marked("~~");
    case "code":
    case "kbd":
    case "samp":
    case "tt":
      return { verbatim: true, wrap: aroundText((text) => codeSpan(text.replaceAll("\n", " "))) };
    case "a":
      return { verbatim: false, wrap: aroundText((text) => link(text, attribute(attributes, "href"))) };
    case "sup":
      // 10³ must not become 103.
      return { verbatim: false, wrap: aroundText((text) => `^${text}`) };
    case "q":
      return { verbatim: false, wrap: aroundText((text) => `“${text}”`) };
    default:
      return { verbatim: false, wrap: (text) => text };
  }
}

function marked(mark: string): SpanWrap {
  return { verbatim: false, wrap: aroundText((text) => mark + text + mark) };
}

/** Markdown needs its marks next to the text, so white space at the edges moves outside. */
function aroundText(wrap: (text: string) => string): (markdown: string) => string {
  return (markdown) => {
    const text = markdown.trim();
    if (text === "") return markdown;
    const start = markdown.startsWith(" ") ? " " : "";
    const end = markdown.endsWith(" ") ? " " : "";
    return start + wrap(text) + end;
  };
}

const longestAddress = 500;

/** Links within the page become their text. */
function link(text: string, href: string | null): string {
  const address = href === null ? null : writableAddress(href);
  if (address === null) return text;
  return text === escapeText(address) ? address : `[${text}](${address})`;
}

/** A picture's text and address; for one inside the HTML itself, its kind and size. */
export function imageMarkdown(attributes: string): { readonly markdown: string; readonly complete: boolean } {
  const source = attribute(attributes, "src") ?? "";
  const alt = escapeText((attribute(attributes, "alt") ?? "").replace(/\s+/g, " ").trim().slice(0, longestAddress));
  const address = writableAddress(source);
  if (address !== null) return { markdown: `![${alt}](${address})`, complete: true };
  const type = /^data:([\w/+.-]+)/.exec(source)?.[1];
  const kind = type ? `${type}, ${sayBytes(Math.round(source.length * 0.75))}` : "image";
  return { markdown: `[${[alt, kind].filter((part) => part !== "").join(": ")}]`, complete: type === undefined };
}

function writableAddress(source: string): string | null {
  const address = source.trim();
  if (address === "" || address.length > longestAddress || /^(?:javascript|data|vbscript):/i.test(address)) return null;
  return address.replace(/[\s()<>|\\]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29"),
  );
}
