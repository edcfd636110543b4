import { escapeText } from "./escape-markdown.ts";
import { attribute } from "./html-attribute.ts";
import { decoded, type HtmlReader, type HtmlToken } from "./html-reader.ts";
import { InlineText } from "./markdown-flow.ts";
import { openBox } from "./open-box.ts";
import { OpenBoxes } from "./open-boxes.ts";
import { imageMarkdown, isSameMark, spanWrap } from "./spans.ts";
import type { TableLimits } from "./table-grid.ts";

/** The effect of elements on the text around them; others have none. */

const names = (list: string) => new Set(list.split(" "));

/** Inside a line. */
const spans = names("a b strong i em del s strike code kbd samp tt var sup q");

/** Set apart by an empty line. */
const paragraphs = names(
  "p address article aside center details dl fieldset figure footer form header hr main nav section",
);

/** On a line of their own. */
const lines = names("div body html head figcaption legend option optgroup select thead tbody tfoot");

/** Blocks that change their content: these get a box. */
const boxed = names("h1 h2 h3 h4 h5 h6 blockquote pre ul ol menu dir li dt dd summary caption table tr td th");

function isBlock(name: string): boolean {
  return paragraphs.has(name) || lines.has(name) || boxed.has(name);
}

/** Deeper elements are treated alike; their text stays. */
const deepest = 40;

/** Takes one token after another and collects their Markdown. */
export class MarkdownWriter {
  readonly #reader: HtmlReader;
  readonly #limits: TableLimits;
  readonly #open = new OpenBoxes();
  /** Open elements that are too deep to have a box. */
  #tooDeep = 0;
  #dropped = false;
  /** Of text, so far. */
  characters = 0;

  constructor(reader: HtmlReader, limits: TableLimits) {
    this.#reader = reader;
    this.#limits = limits;
  }

  take(token: HtmlToken): void {
    switch (token.type) {
      case "text":
        return this.#text(token.text);
      case "open":
        return this.#openElement(token.name, token.attributes);
      case "close":
        return this.#closeElement(token.name);
      case "raw":
        return this.#raw(token.name, token.attributes, token.content);
      default:
        return token satisfies never;
    }
  }

  /** `complete` is false if content was omitted, not only looks. */
  finish(): { readonly markdown: string; readonly complete: boolean } {
    const markdown = this.#open.finish();
    return { markdown, complete: this.#open.tablesComplete && !this.#dropped };
  }

  #text(text: string): void {
    if (this.#open.isHidden) return;
    this.characters += text.length;
    if (text.trim() !== "") this.#open.enterList();
    const box = this.#open.innermost;
    if (box.kind === "pre") box.pieces.push(text);
    else if (box.kind === "span" && box.verbatim) box.inline.add(collapsed(text));
    else this.#open.inline.add(escapeText(collapsed(text)));
  }

  #raw(name: string, attributes: string, content: string): void {
    if (name === "textarea" || name === "xmp") return this.#text(decoded(content));
    if (name === "iframe") this.#open.inline.add(escapeText(` [iframe ${attribute(attributes, "src") ?? ""}] `));
    if (name === "svg") this.#open.inline.add(" [drawing] ");
    this.#dropped ||= name === "svg" || name === "iframe" || (name === "script" && content.trim() !== "");
  }

  #openElement(name: string, attributes: string): void {
    if (name === "br") return this.#breakLine();
    if (this.#open.innermost.kind === "pre") return this.#insidePre(name, attributes);
    if (standsInItem(name)) this.#open.enterList();
    if (name === "img") return this.#image(attributes);
    if (name === "input") return this.#input(attributes);
    if (spans.has(name)) return this.#openSpan(name, attributes);
    if (!isBlock(name)) return;
    this.#part(name);
    if (name === "hr") this.#open.flow.block("---", 2);
    if (name === "thead" || name === "tbody") this.#enterPartOfTable(name);
    if (boxed.has(name) && !this.#isTooDeep()) {
      openBox(name, attributes, { open: this.#open, reader: this.#reader, limits: this.#limits });
    }
  }

  #closeElement(name: string): void {
    const isPre = this.#open.innermost.kind === "pre";
    if (!isPre && (paragraphs.has(name) || lines.has(name))) this.#part(name);
    if (!spans.has(name) && !boxed.has(name)) return;
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    // An end tag inside a cell ends nothing outside the cell, except the table.
    const endsTable = ["td", "th", "tr", "table"].includes(name);
    this.#open.close([name], endsTable ? [] : ["cell"]);
  }

  /** A block ends the open spans of the line. */
  #part(name: string): void {
    this.#open.closeSpans();
    this.#open.flow.endParagraph(paragraphs.has(name) ? 2 : 1);
  }

  #breakLine(): void {
    const box = this.#open.innermost;
    if (box.kind === "pre") box.pieces.push("\n");
    else this.#open.inline.breakLine();
  }

  /** Inside `<pre>`, colours and the like are dropped; the `<code>` of highlighted source names the language. */
  #insidePre(name: string, attributes: string): void {
    const box = this.#open.innermost;
    if (box.kind !== "pre") return;
    if (name === "code") box.language ||= /\blanguage-([\w+#-]+)/.exec(attribute(attributes, "class") ?? "")?.[1] ?? "";
    if (isBlock(name)) box.pieces.push("\n");
  }

  #image(attributes: string): void {
    const { markdown, complete } = imageMarkdown(attributes);
    this.#dropped ||= !complete;
    this.#open.inline.add(markdown);
  }

  #input(attributes: string): void {
    if (attribute(attributes, "type") !== "checkbox") return;
    this.#open.inline.add(attribute(attributes, "checked") === null ? "[ ] " : "[x] ");
  }

  #openSpan(name: string, attributes: string): void {
    if (this.#isTooDeep()) return;
    const around = this.#open.innermost;
    const inCode = around.kind === "span" && around.verbatim;
    const isRepeated = this.#open.find((open) => open.kind === "span" && isSameMark(open.name, name)) !== null;
    const plain = { wrap: (text: string) => text, verbatim: inCode };
    const { wrap, verbatim } = inCode || isRepeated ? plain : spanWrap(name, attributes);
    this.#open.push({ kind: "span", name, inline: new InlineText(), verbatim, wrap });
  }

  /** Counts elements that are too deep, because their end tags must not end other elements. */
  #isTooDeep(): boolean {
    const isTooDeep = this.#tooDeep > 0 || this.#open.depth >= deepest;
    if (isTooDeep) this.#tooDeep++;
    return isTooDeep;
  }

  #enterPartOfTable(name: "thead" | "tbody"): void {
    const table = this.#open.nearest("table");
    if (table === null) return;
    this.#open.closeInside(table);
    table.inHead = name === "thead";
  }
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Elements that a list has only inside its items. */
function standsInItem(name: string): boolean {
  return name !== "li" && (name === "img" || name === "input" || spans.has(name) || boxed.has(name));
}
