import { attribute } from "./html-attribute.ts";
import { HtmlReader, type HtmlToken } from "./html-reader.ts";

const elements = new Set(
  `a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img
  input ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var`.split(
    /\s+/,
  ),
);
const empty = new Set(["br", "col", "hr", "img", "input"]);
/** Deeper elements are omitted; their text stays. */
const deepest = 200;

export interface SafeHtmlOptions {
  /** Turns a picture's address into a data URL, or null to omit the picture. */
  readonly pictureAt?: (address: string) => string | null;
}

/**
 * Foreign HTML, made safe for a page of ours: only elements that describe text, no scripts, no styles,
 * no addresses except links, all elements closed, and no end tags for elements outside.
 */
export function safeHtml(html: string, { pictureAt = dataPicture }: SafeHtmlOptions = {}): string {
  const reader = new HtmlReader(html);
  const open: string[] = [];
  const written: string[] = [];
  for (let token = reader.next(); token !== null; token = reader.next()) {
    written.push(safeToken(token, open, pictureAt));
  }
  return written.join("") + closeAll(open, 0);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] as string);
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function safeToken(token: HtmlToken, open: string[], pictureAt: NonNullable<SafeHtmlOptions["pictureAt"]>): string {
  switch (token.type) {
    case "text":
      return escapeHtml(token.text);
    case "raw":
      return token.name === "textarea" ? escapeHtml(token.content) : "";
    case "open": {
      const { name } = token;
      if (!elements.has(name) || open.length >= deepest) return "";
      const attributes = safeAttributes(name, token.attributes, pictureAt);
      if (attributes === null) return "";
      if (!empty.has(name)) open.push(name);
      return `<${name}${attributes}>`;
    }
    case "close": {
      const at = open.lastIndexOf(token.name);
      return at === -1 ? "" : closeAll(open, at);
    }
  }
}

function closeAll(open: string[], from: number): string {
  return open
    .splice(from)
    .reverse()
    .map((name) => `</${name}>`)
    .join("");
}

/** Null if the element is useless without a forbidden attribute. */
function safeAttributes(
  name: string,
  source: string,
  pictureAt: NonNullable<SafeHtmlOptions["pictureAt"]>,
): string | null {
  switch (name) {
    case "a":
      return withValues({ href: safeLink(attribute(source, "href")), rel: "noopener noreferrer" });
    case "img": {
      const src = pictureAt(attribute(source, "src") ?? "");
      if (src === null) return null;
      const [width, height] = [numberOf(source, "width"), numberOf(source, "height")];
      return withValues({ src, alt: attribute(source, "alt") ?? "", width, height });
    }
    case "td":
    case "th":
      return withValues({ colspan: numberOf(source, "colspan"), rowspan: numberOf(source, "rowspan") });
    case "ol":
      return withValues({ start: numberOf(source, "start") });
    case "input": // the boxes of a task list
      if (attribute(source, "type") !== "checkbox") return null;
      return ` type="checkbox" disabled${attribute(source, "checked") === null ? "" : " checked"}`;
    default:
      return "";
  }
}

function withValues(values: Readonly<Record<string, string | null>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === null ? "" : ` ${name}="${escapeHtml(value)}"`))
    .join("");
}

function numberOf(source: string, name: string): string | null {
  return /^\d{1,4}/.exec(attribute(source, name) ?? "")?.[0] ?? null;
}

function safeLink(href: string | null): string | null {
  return href !== null && /^(?:https?:\/\/|mailto:|#)/i.test(href) ? href : null;
}

/** Pictures that are in the page itself; a picture elsewhere would tell its server who reads the page. */
function dataPicture(address: string): string | null {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/i.test(address) ? address : null;
}
