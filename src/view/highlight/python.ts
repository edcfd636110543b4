import { endOfString, LineScanner } from "./line-scanner.ts";
import { ShellTokenizer } from "./shell.ts";
import type { Token, Tokenizer } from "./token.ts";

/** Python in cells: with magics, `!commands` and `%%bash`. */
export class PythonTokenizer implements Tokenizer {
  /** The closing quote of the open string, if any. */
  #openQuote: string | null = null;
  #isFirst = true;
  /** The tokenizer of a cell magic's language. */
  #other: Tokenizer | null = null;

  line(text: string): readonly Token[] {
    if (this.#other !== null) return this.#other.line(text);
    const scanner = new LineScanner(text);
    if (this.#openQuote !== null) this.#continueString(scanner, this.#openQuote);
    else this.#startOfLine(scanner);
    while (!scanner.isAtEnd) this.#next(scanner);
    if (text.trim() !== "") this.#isFirst = false;
    return scanner.tokens;
  }

  #startOfLine(scanner: LineScanner): void {
    scanner.take(scanner.match(blanks)?.[0].length ?? 0, null);
    const cellMagic = this.#isFirst ? scanner.match(/%%\s*(\S*)/y) : null;
    if (cellMagic !== null) {
      scanner.take(cellMagic[0].length, "decorator");
      scanner.takeRest("string");
      this.#other = languageOf(cellMagic[1] ?? "");
      return;
    }
    if (scanner.match(/%[A-Za-z]|!/y)) {
      scanner.take(scanner.match(/%\w+|!+/y)?.[0].length ?? 1, "decorator");
      scanner.takeRest("string");
      return;
    }
    const decorator = scanner.match(/@[\w.]*/y);
    if (decorator !== null) scanner.take(decorator[0].length, "decorator");
    const soft = scanner.match(/(?:match|case)(?=\s[^=]*:\s*(?:#.*)?$)/y);
    if (soft !== null) scanner.take(soft[0].length, "keyword");
  }

  #next(scanner: LineScanner): void {
    if (scanner.startsWith("#")) return scanner.takeRest("comment");
    const opening = scanner.match(stringOpening);
    if (opening !== null) {
      const [text, prefix = "", quote = '"'] = opening;
      const isFormatted = /[ft]/i.test(prefix) && quote.length === 1;
      const end = isFormatted ? endOfFormatted(scanner.line, scanner.at + text.length, quote) : null;
      if (end !== null) return scanner.take(end - scanner.at, "string");
      scanner.take(text.length, "string");
      return this.#continueString(scanner, quote);
    }
    const name = scanner.match(identifier);
    if (name !== null) return takeName(scanner, name[0]);
    const number = scanner.match(numberLiteral);
    if (number !== null) return scanner.take(number[0].length, "number");
    scanner.take(scanner.match(blanks)?.[0].length || 1, null);
  }

  #continueString(scanner: LineScanner, quote: string): void {
    const isClosed = scanner.takeString(quote, { escapes: true });
    const goesOn = quote.length === 3 || endsWithEscape(scanner.line);
    this.#openQuote = !isClosed && goesOn ? quote : null;
  }
}

const blanks = /\s*/y;
const stringOpening = /([rbfut]|[bft]r|r[bft])?("""|'''|"|')/iy;
const identifier = /[\p{ID_Start}_]\p{ID_Continue}*/uy;
const numberLiteral = /(?:0x[\da-f_]+|0b[01_]+|0o[0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?j?)/iy;

/**
 * The end of an f-string; null when it is not on this line. Since Python 3.12 its braces may contain
 * strings in the same quotes.
 */
function endOfFormatted(line: string, from: number, quote: string): number | null {
  let depth = 0;
  for (let at = from; at < line.length; at++) {
    const character = line[at];
    const isQuote = character === '"' || character === "'";
    if (character === "\\" || (depth === 0 && line.startsWith("{{", at))) at++;
    else if (character === "{") depth++;
    else if (character === "}") depth = Math.max(0, depth - 1);
    else if (isQuote && depth > 0) {
      const end = endOfString(line, at + 1, character, true);
      if (end === null && character === quote) return at + 1;
      at = end === null ? at : end - 1;
    } else if (character === quote) return at + 1;
  }
  return null;
}

function takeName(scanner: LineScanner, name: string): void {
  const before = scanner.line.slice(Math.max(0, scanner.at - 40), scanner.at);
  if (before.endsWith(".")) return scanner.take(name.length, null);
  if (keywords.has(name)) return scanner.take(name.length, "keyword");
  if (/(?:^|\s)(?:def|class)\s+$/.test(before)) return scanner.take(name.length, "definition");
  scanner.take(name.length, builtins.has(name) ? "builtin" : null);
}

/** A backslash at the end of a line continues a string, unless it is escaped itself. */
function endsWithEscape(line: string): boolean {
  let backslashes = 0;
  while (line[line.length - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** Null when the rest of the cell is Python: `%%time`. */
function languageOf(magic: string): Tokenizer | null {
  if (["bash", "sh", "script", "!"].includes(magic)) return new ShellTokenizer();
  return ["time", "timeit", "capture", "prun", "python", "python3"].includes(magic) ? null : plainLines;
}

const plainLines: Tokenizer = { line: (text) => [{ kind: null, text }] };

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

const builtins = new Set(
  (
    "abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr " +
    "dict dir display divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help " +
    "hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow " +
    "print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip " +
    "self cls Exception ValueError TypeError KeyError IndexError RuntimeError OSError StopIteration AttributeError"
  ).split(" "),
);
