import { decodeHTML } from "entities";

/** A piece of HTML in reading order. `attributes` is their source; `attribute()` reads one of them. */
export type HtmlToken =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "open"; readonly name: string; readonly attributes: string }
  | { readonly type: "close"; readonly name: string }
  /** An element whose content is not HTML: all of it at once, as it is in the source. */
  | { readonly type: "raw"; readonly name: string; readonly attributes: string; readonly content: string };

const rawElements = new Set(["script", "style", "svg", "template", "textarea", "title", "iframe", "xmp"]);

/**
 * Reads HTML piece by piece, as forgiving as browsers, and only as far as the caller iterates. There is no tree and no
 * stack: a hundred thousand open elements cost what their characters cost. (htmlparser2 keeps its open elements in an
 * array that it searches and shifts at every tag: 16 seconds for those.)
 */
export class HtmlReader {
  readonly #html: string;
  #at = 0;

  constructor(html: string) {
    this.#html = html;
  }

  get unread(): number {
    return this.#html.length - this.#at;
  }

  next(): HtmlToken | null {
    while (this.#at < this.#html.length) {
      const token = this.#startsTag() ? this.#tag() : this.#text();
      if (token !== null) return token;
    }
    return null;
  }

  /** Skips the rest of the current table, up to its end tag, and returns the number of skipped rows. */
  skipRows(): number {
    const landmarks = /<(?:tr|(\/?)table)(?=[\s>/])/gi;
    landmarks.lastIndex = this.#at;
    let depth = 0;
    let rows = 0;
    for (let found = landmarks.exec(this.#html); found !== null; found = landmarks.exec(this.#html)) {
      if (found[1] === undefined) rows += depth === 0 ? 1 : 0;
      else if (found[1] === "") depth++;
      else if (depth-- === 0) {
        this.#at = found.index;
        return rows;
      }
    }
    this.#at = this.#html.length;
    return rows;
  }

  #startsTag(): boolean {
    return this.#html[this.#at] === "<" && /[a-z/!?]/i.test(this.#html[this.#at + 1] ?? "");
  }

  /** Text up to the next `<`; a `<` that begins no tag is text. */
  #text(): HtmlToken {
    const next = this.#html.indexOf("<", this.#at + 1);
    return { type: "text", text: decoded(this.#take(next)) };
  }

  #tag(): HtmlToken | null {
    if (this.#html.startsWith("<!--", this.#at)) {
      this.#skipPast("-->", 4);
      return null;
    }
    const second = this.#html[this.#at + 1];
    if (second === "!" || second === "?") {
      this.#skipPast(">", 2);
      return null;
    }
    return second === "/" ? this.#closeTag() : this.#openTag();
  }

  #closeTag(): HtmlToken | null {
    const source = this.#takeTag(this.#html.indexOf(">", this.#at), 2);
    const name = tagName(source);
    return name === "" ? null : { type: "close", name };
  }

  #openTag(): HtmlToken {
    const source = this.#takeTag(this.#endOfTag(), 1);
    const name = tagName(source);
    const attributes = source.slice(name.length);
    if (!rawElements.has(name) || (name === "svg" && attributes.endsWith("/")))
      return { type: "open", name, attributes };

    const endTag = new RegExp(`</${name}(?=[\\s/>])`, "gi");
    endTag.lastIndex = this.#at;
    const content = this.#take(endTag.exec(this.#html)?.index ?? -1);
    this.#skipPast(">", 0);
    return { type: "raw", name, attributes, content };
  }

  /** The `>` that ends a tag, not one in a quoted value; only a quote after `=` begins one. */
  #endOfTag(): number {
    const marks = /[>"']/g;
    marks.lastIndex = this.#at;
    for (let mark = marks.exec(this.#html); mark !== null; mark = marks.exec(this.#html)) {
      const [character] = mark;
      if (character === ">") return mark.index;
      if (!this.#followsEquals(mark.index)) continue;
      const closing = this.#html.indexOf(character, mark.index + 1);
      if (closing === -1) return -1;
      marks.lastIndex = closing + 1;
    }
    return -1;
  }

  #followsEquals(index: number): boolean {
    let before = index - 1;
    while (/\s/.test(this.#html[before] ?? "")) before--;
    return this.#html[before] === "=";
  }

  /** The source between `<` and the `>` at `end`; everything, if the tag is not closed. */
  #takeTag(end: number, start: number): string {
    this.#at += start;
    const source = this.#take(end);
    this.#at++;
    return source;
  }

  #take(end: number): string {
    const from = this.#at;
    this.#at = end === -1 ? this.#html.length : end;
    return this.#html.slice(from, this.#at);
  }

  #skipPast(mark: string, start: number): void {
    const end = this.#html.indexOf(mark, this.#at + start);
    this.#at = end === -1 ? this.#html.length : end + mark.length;
  }
}

function tagName(source: string): string {
  return (/^[^\s/>]*/.exec(source)?.[0] ?? "").toLowerCase();
}

export function decoded(text: string): string {
  return text.includes("&") ? decodeHTML(text) : text;
}
