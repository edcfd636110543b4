import { closeBrace, closeBracket, colon, comma, newline, openBrace, openBracket, quote } from "./bytes.ts";
import { JsonTokens } from "./tokens.ts";

/** No real notebook nests this deep, and Python's own reader fails long before. */
const deepestNesting = 100_000;

/** Walks over objects and lists: the caller enters those that it needs and skips the rest. */
export class JsonScanner extends JsonTokens {
  /** Calls `value` after each key; the callback has to move past the member's value. */
  readObject(value: (keyStart: number, keyEnd: number) => void): void {
    this.#expect(openBrace, 'expected "{"');
    if (this.peek() === closeBrace) {
      this.at++;
      return;
    }
    for (;;) {
      const keyStart = this.#key();
      const keyEnd = this.#colon();
      value(keyStart, keyEnd);
      if (!this.#more(closeBrace)) return;
    }
  }

  /** Calls `element` before each element; the callback has to move past it. */
  readArray(element: () => void): void {
    this.#expect(openBracket, 'expected "["');
    if (this.peek() === closeBracket) {
      this.at++;
      return;
    }
    element();
    this.readMoreOfArray(element);
  }

  /** After an element: the same for the elements that follow. */
  readMoreOfArray(element: () => void): void {
    while (this.#more(closeBracket)) element();
  }

  /** Moves past one value of any kind. Without recursion: nesting in a file must not overflow our stack. */
  skipValue(): void {
    let opened = this.#skipScalarOrOpen();
    if (opened === 0) return;
    const closers: number[] = [];
    for (;;) {
      if (opened !== 0) {
        if (closers.length === deepestNesting) this.fail(`nested more than ${deepestNesting} levels deep`);
        closers.push(opened);
      } else {
        while (closers.length > 0 && !this.#more(closers.at(-1) as number)) closers.pop();
        if (closers.length === 0) return;
      }
      if (closers.at(-1) === closeBrace) {
        this.#key();
        this.#colon();
      } else this.#skipLines();
      opened = this.#skipScalarOrOpen();
    }
  }

  /** In a list, moves past strings other than the last. Nearly all of a notebook is lists of lines. */
  #skipLines(): void {
    while (this.peek() === quote) {
      const start = this.at;
      this.skipString();
      if (this.bytes[this.at] !== comma) {
        this.at = start;
        return;
      }
      this.at++;
      if (this.bytes[this.at] === newline && this.peek() === quote) this.skipUsualLines();
    }
  }

  /** Moves past a scalar or an empty container; of any other container only past its bracket, and returns the closing one. */
  #skipScalarOrOpen(): number {
    const first = this.peek();
    switch (first) {
      case quote:
        this.skipString();
        return 0;
      case openBrace:
      case openBracket: {
        const closer = first + 2;
        this.at++;
        if (this.peek() !== closer) return closer;
        this.at++;
        return 0;
      }
      default:
        this.skipNumberOrWord(first);
        return 0;
    }
  }

  /** After a value: true when a comma follows, false when the container ends here. */
  #more(closer: number): boolean {
    const next = this.peek();
    if (next === comma) {
      this.at++;
      return true;
    }
    if (next !== closer) this.fail(`expected "," or "${String.fromCharCode(closer)}"`, "comma");
    this.at++;
    return false;
  }

  #key(): number {
    if (this.peek() !== quote) this.fail("expected a property name in double quotes", "key");
    const start = this.at;
    this.skipString();
    return start;
  }

  /** Returns the end of the key before the colon. */
  #colon(): number {
    const keyEnd = this.at;
    if (this.peek() !== colon) this.fail('expected ":"', "colon");
    this.at++;
    return keyEnd;
  }

  #expect(byte: number, message: string): void {
    if (this.peek() !== byte) this.fail(message);
    this.at++;
  }
}
