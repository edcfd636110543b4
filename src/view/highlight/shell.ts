import { LineScanner } from "./line-scanner.ts";
import type { Token, Tokenizer } from "./token.ts";

/** Enough of bash to find strings, variables and comments. */
export class ShellTokenizer implements Tokenizer {
  #openQuote: string | null = null;

  line(text: string): readonly Token[] {
    const scanner = new LineScanner(text);
    if (this.#openQuote !== null) this.#continueString(scanner, this.#openQuote);
    while (!scanner.isAtEnd) this.#next(scanner);
    return scanner.tokens;
  }

  #next(scanner: LineScanner): void {
    const before = scanner.line[scanner.at - 1] ?? " ";
    if (scanner.startsWith("#") && /[\s;&|(]/.test(before)) return scanner.takeRest("comment");
    const quote = scanner.match(/["']/y)?.[0];
    if (quote !== undefined) {
      scanner.take(1, "string");
      return this.#continueString(scanner, quote);
    }
    const variable = scanner.match(/\$(?:\w+|\{[^}]{0,200}\}|[?$!#@*-])/y);
    if (variable !== null) return scanner.take(variable[0].length, "builtin");
    const word = scanner.match(/[\w./-]+/y);
    if (word !== null) return scanner.take(word[0].length, keywords.has(word[0]) ? "keyword" : null);
    scanner.take(scanner.startsWith("\\") ? 2 : 1, null);
  }

  #continueString(scanner: LineScanner, quote: string): void {
    this.#openQuote = scanner.takeString(quote, { escapes: quote === '"' }) ? null : quote;
  }
}

const keywords = new Set("if then elif else fi for while until do done case esac in function return export".split(" "));
