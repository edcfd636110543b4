import { endOfString, LineScanner } from "./line-scanner.ts";
import type { Token, Tokenizer } from "./token.ts";

export const jsonTokenizer: Tokenizer = {
  line(text: string): readonly Token[] {
    const scanner = new LineScanner(text);
    while (!scanner.isAtEnd) next(scanner);
    return scanner.tokens;
  },
};

function next(scanner: LineScanner): void {
  if (scanner.startsWith('"')) {
    const end = endOfString(scanner.line, scanner.at + 1, '"', true) ?? scanner.line.length;
    colon.lastIndex = end;
    return scanner.take(end - scanner.at, colon.test(scanner.line) ? "key" : "string");
  }
  const number = scanner.match(/-?\d[\d.eE+-]*/y);
  if (number !== null) return scanner.take(number[0].length, "number");
  const word = scanner.match(/\w+/y);
  if (word !== null) return scanner.take(word[0].length, literals.has(word[0]) ? "keyword" : null);
  scanner.take(1, null);
}

const colon = /\s*:/y;
const literals = new Set(["true", "false", "null", "NaN", "Infinity"]);
