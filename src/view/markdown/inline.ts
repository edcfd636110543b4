import type { StyleName, Theme } from "../theme/theme.ts";

/** A text with styled code, links and emphasis, without their markup. */
export function inline(text: string, theme: Theme, styles: readonly StyleName[] = []): string {
  const scanner = new InlineScanner(text, theme, styles);
  return scanner.painted();
}

const deepest = 4;

class InlineScanner {
  readonly #text: string;
  readonly #theme: Theme;
  readonly #styles: readonly StyleName[];
  /** Markup without a closing counterpart: repeated searches would take quadratic time in a text of brackets. */
  readonly #without = new Set<string>();
  #at = 0;
  #shown = "";
  #plain = "";

  constructor(text: string, theme: Theme, styles: readonly StyleName[]) {
    this.#text = text;
    this.#theme = theme;
    this.#styles = styles;
  }

  painted(): string {
    while (this.#at < this.#text.length) {
      if (!this.#escape() && !this.#code() && !this.#link() && !this.#emphasis()) {
        this.#plain += this.#text[this.#at];
        this.#at++;
      }
    }
    this.#flush();
    return this.#shown;
  }

  #escape(): boolean {
    const escaped = /^\\([!-/:-@[-`{-~])/.exec(this.#text.slice(this.#at, this.#at + 2))?.[1];
    if (escaped === undefined) return false;
    this.#plain += escaped;
    this.#at += 2;
    return true;
  }

  #code(): boolean {
    if (this.#text[this.#at] !== "`") return false;
    const ticks = /^`{1,8}/.exec(this.#text.slice(this.#at, this.#at + 8))?.[0] ?? "`";
    const end = this.#find(ticks, this.#at + ticks.length);
    if (end === null) return this.#asText(ticks);
    const code = this.#text.slice(this.#at + ticks.length, end);
    this.#add(code.trim() === "" ? code : code.replace(/^ (.*) $/, "$1"), "code");
    this.#at = end + ticks.length;
    return true;
  }

  /** `[text](address)`, `![text](address)` and `<https://…>` */
  #link(): boolean {
    const address =
      this.#text[this.#at] === "<" ? /^<((?:https?|mailto):[^\s>]{1,2000})>/.exec(this.#ahead())?.[1] : undefined;
    if (address !== undefined) {
      this.#add(address, "link");
      this.#at += address.length + 2;
      return true;
    }
    const isPicture = this.#text.startsWith("![", this.#at);
    if (!isPicture && this.#text[this.#at] !== "[") return false;
    const start = this.#at + (isPicture ? 2 : 1);
    const middle = this.#find("](", start);
    const end = middle === null ? null : this.#find(")", middle + 2);
    if (middle === null || end === null) return false;
    const words = this.#text.slice(start, middle);
    if (words.includes("[")) return false;
    const target = this.#text
      .slice(middle + 2, end)
      .trim()
      .replace(/\s+"[^"]*"$/, "");
    this.#nested(isPicture ? `[${words || "picture"}]` : words, "link");
    if (target !== words && !isPicture) this.#add(` (${target})`, "muted");
    this.#at = end + 1;
    return true;
  }

  #emphasis(): boolean {
    const sign = signs.find((each) => this.#text.startsWith(each, this.#at));
    const style = sign === undefined ? undefined : emphases[sign];
    if (sign === undefined || style === undefined) return false;
    const start = this.#at + sign.length;
    const end = this.#opens(sign, start) ? this.#closing(sign, start + 1) : null;
    if (end === null) return this.#asText(sign);
    this.#nested(this.#text.slice(start, end), style);
    this.#at = end + sign.length;
    return true;
  }

  /** snake_case and 2 * 3 * 4 are not emphasis. */
  #opens(sign: string, start: number): boolean {
    const isInsideWord = sign.startsWith("_") && /[\p{L}\p{N}]/u.test(this.#text[this.#at - 1] ?? " ");
    return !isInsideWord && /\S/.test(this.#text[start] ?? " ");
  }

  #closing(sign: string, from: number): number | null {
    for (let end = this.#find(sign, from); end !== null; end = this.#find(sign, end + 1)) {
      // The first of three stars closes the inner emphasis.
      if (sign.length === 2 && this.#text[end + 2] === sign[0]) continue;
      const after = this.#text[end + sign.length] ?? " ";
      const isInsideWord = sign.startsWith("_") && /[\p{L}\p{N}]/u.test(after);
      const isPartOfLonger = sign.length === 1 && after === sign;
      if (!isInsideWord && !isPartOfLonger && /\S/.test(this.#text[end - 1] ?? " ")) return end;
    }
    this.#without.add(sign);
    return null;
  }

  #nested(text: string, style: StyleName): void {
    this.#flush();
    const styles = [...this.#styles, style];
    this.#shown += styles.length > deepest ? paint(text, this.#theme, styles) : inline(text, this.#theme, styles);
  }

  #add(text: string, style: StyleName): void {
    this.#flush();
    this.#shown += paint(text, this.#theme, [...this.#styles, style]);
  }

  #asText(text: string): true {
    this.#plain += text;
    this.#at += text.length;
    return true;
  }

  #flush(): void {
    this.#shown += paint(this.#plain, this.#theme, this.#styles);
    this.#plain = "";
  }

  #find(sign: string, from: number): number | null {
    if (this.#without.has(sign)) return null;
    const at = this.#text.indexOf(sign, from);
    if (at === -1) this.#without.add(sign);
    return at === -1 ? null : at;
  }

  #ahead(): string {
    return this.#text.slice(this.#at, this.#at + 2050);
  }
}

/** Longer ones first. */
const signs = ["**", "__", "~~", "*", "_"];
const emphases: Readonly<Record<string, StyleName>> = {
  "**": "strong",
  __: "strong",
  "~~": "struck",
  "*": "emphasis",
  _: "emphasis",
};

/** Each piece has all of its styles, so that the end of one does not end another. */
function paint(text: string, theme: Theme, styles: readonly StyleName[]): string {
  return text === "" ? "" : styles.reduceRight((painted, style) => theme[style](painted), text);
}
