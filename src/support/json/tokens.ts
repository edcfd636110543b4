import { GranaryError } from "../granary-error.ts";
import { backslash, bigE, bytesWhere, isAt, minusSign, plusSign, point, quote, smallE, smallU, zero } from "./bytes.ts";
import { PlainRun } from "./plain-run.ts";

/** The missing or malformed part, for callers with their own messages. */
export type JsonProblem = "value" | "digit" | "key" | "colon" | "comma" | "quote" | "text" | "other";

/** A JSON syntax error, with its byte position. */
export class JsonSyntaxError extends GranaryError<"invalid-json"> {
  readonly offset: number;
  readonly problem: JsonProblem;

  constructor(message: string, offset: number, problem: JsonProblem = "other") {
    super("invalid-json", message, { details: { offset } });
    this.offset = offset;
    this.problem = problem;
  }
}

/**
 * Moves over the tokens of JSON without building values: strict, except for the bare `NaN`, `Infinity` and `-Infinity`
 * that Python writes. Works on bytes, because decoding a notebook of 200 MB would cost more than the rest.
 */
export class JsonTokens {
  readonly bytes: Buffer;
  /** The end of the text. */
  readonly length: number;
  readonly #plain: PlainRun;
  /** The start of the next token, or of the space before it. */
  at: number;
  /** Whether a character beyond ASCII was written as `\u....`. */
  sawEscapedCharacter = false;
  /** Called for each `NaN`, `Infinity` and `-Infinity`. */
  onNonFinite: ((start: number, end: number) => void) | null = null;

  /** @param length of the text, if the bytes after it are not known yet */
  constructor(bytes: Buffer, at = 0, length = bytes.length) {
    this.bytes = bytes;
    this.length = length;
    this.#plain = new PlainRun(bytes, length);
    this.at = at;
  }

  /** The byte at the next token; -1 at the end of the text. */
  peek(): number {
    this.skipSpace();
    // A container ends at a bracket that was found here. So bytes after the text may be anything.
    return this.at < this.length ? (this.bytes[this.at] as number) : -1;
  }

  skipSpace(): void {
    const { bytes } = this;
    const length = this.length;
    let at = this.at;
    while (at < length && isSpace[bytes[at] as number] === 1) at++;
    this.at = at;
  }

  fail(message: string, problem: JsonProblem = "other", offset = this.at): never {
    throw new JsonSyntaxError(message, offset, problem);
  }

  skipString(): void {
    const { bytes } = this;
    const start = this.at;
    let at = start + 1;
    for (;;) {
      // Most often this comes right after the escape at the end of a line.
      if (bytes[at] === quote) break;
      at = this.#plain.end(at);
      if (at >= this.length) this.fail("this string is never closed", "quote", start);
      if (bytes[at] === quote) break;
      if (bytes[at] !== backslash) this.fail("a control character has to be escaped inside a string", "text", at);
      at = this.#escape(at);
    }
    this.at = at + 1;
  }

  /** At a string of a list: moves to the last of the lines that are written as usual. */
  skipUsualLines(): void {
    this.at = this.#plain.lines(this.at);
  }

  #escape(at: number): number {
    const letter = this.bytes[at + 1] ?? 0;
    if (isShortEscape[letter] === 1) return at + 2;
    const digits = this.bytes.toString("latin1", at + 2, at + 6);
    if (letter !== smallU || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("not an escape that JSON knows", "text", at);
    if (Number.parseInt(digits, 16) >= 0x80) this.sawEscapedCharacter = true;
    return at + 6;
  }

  skipNumberOrWord(first: number): void {
    if (first === minusSign || isDigit[first] === 1) return this.#number();
    for (const word of words) {
      if (this.#skipWord(word)) return;
    }
    this.fail(first === -1 ? "the text ends too early" : "expected a value", "value");
  }

  #number(): void {
    const start = this.at;
    if (this.bytes[this.at] === minusSign) {
      this.at++;
      if (this.#skipWord("Infinity", start)) return;
    }
    if (this.bytes[this.at] === zero) this.at++;
    else this.#digits();
    if (this.bytes[this.at] === point) {
      this.at++;
      this.#digits();
    }
    if (this.bytes[this.at] === smallE || this.bytes[this.at] === bigE) {
      this.at++;
      if (this.bytes[this.at] === plusSign || this.bytes[this.at] === minusSign) this.at++;
      this.#digits();
    }
  }

  #digits(): void {
    const { bytes } = this;
    const length = this.length;
    const start = this.at;
    let at = start;
    while (at < length && isDigit[bytes[at] as number] === 1) at++;
    if (at === start) this.fail("expected a digit", "digit");
    this.at = at;
  }

  #skipWord(word: string, start = this.at): boolean {
    if (!isAt(this.bytes, this.at, word)) return false;
    const end = this.at + word.length;
    this.at = end;
    if (word === "NaN" || word === "Infinity") this.onNonFinite?.(start, end);
    return true;
  }
}

const isSpace = bytesWhere((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
const isShortEscape = bytesWhere((byte) => '"\\/bfnrt'.includes(String.fromCharCode(byte)));
const isDigit = bytesWhere((byte) => byte >= 0x30 && byte <= 0x39);

const words = ["null", "true", "false", "NaN", "Infinity"];
