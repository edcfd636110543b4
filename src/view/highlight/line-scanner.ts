import type { StyleName } from "../theme/theme.ts";
import type { Token } from "./token.ts";

/** Scans one line and collects its tokens. Only moves forward, so it takes linear time. */
export class LineScanner {
  readonly line: string;
  readonly tokens: Token[] = [];
  at = 0;

  constructor(line: string) {
    this.line = line;
  }

  get isAtEnd(): boolean {
    return this.at >= this.line.length;
  }

  /** The match of a sticky expression here, without consuming it; null when there is none. */
  match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    return expression.exec(this.line);
  }

  startsWith(text: string): boolean {
    return this.line.startsWith(text, this.at);
  }

  /** Consumes this many characters as a token. */
  take(length: number, kind: StyleName | null): void {
    const text = this.line.slice(this.at, this.at + length);
    this.at += length;
    const last = this.tokens.at(-1);
    if (last !== undefined && last.kind === kind)
      this.tokens[this.tokens.length - 1] = { kind, text: last.text + text };
    else if (text !== "") this.tokens.push({ kind, text });
  }

  takeRest(kind: StyleName | null): void {
    this.take(this.line.length - this.at, kind);
  }

  /**
   * Consumes the inside of a string and its closing quote.
   * @returns whether the quote was on this line
   */
  takeString(quote: string, { escapes }: { readonly escapes: boolean }): boolean {
    const end = endOfString(this.line, this.at, quote, escapes);
    this.take((end ?? this.line.length) - this.at, "string");
    return end !== null;
  }
}

/** The end of a string that began before `at`; null when it is not on this line. */
export function endOfString(line: string, at: number, quote: string, escapes: boolean): number | null {
  let end = at;
  while (end < line.length && !line.startsWith(quote, end)) end += escapes && line[end] === "\\" ? 2 : 1;
  return end < line.length ? end + quote.length : null;
}
