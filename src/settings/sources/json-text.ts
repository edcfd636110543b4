import { JsonSyntaxError } from "../../support/json/tokens.ts";
/**
 * Reads JSON as `JSON.parse` does, and hands over what that keeps to itself: where each key stands, and that a key stands
 * there twice.
 */
export class JsonText {
  readonly #text: string;
  readonly #makeObject: (members: readonly Member[]) => unknown;
  #at = 0;
  #depth = 0;

  constructor(text: string, makeObject: (members: readonly Member[]) => unknown) {
    // Some editors begin a file with a byte order mark.
    this.#text = text.replace(/^\uFEFF/, "");
    this.#makeObject = makeObject;
  }

  /** @throws {JsonSyntaxError} */
  parse(): unknown {
    this.#at = 0;
    this.#depth = 0;
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("The JSON has ended before this.");
    return value;
  }

  /** As people and editors count: from 1. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const before = this.#text.slice(0, offset).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }

  #value(): unknown {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#makeObject(this.#list("}", () => this.#member())));
      case "[":
        return this.#nested(() => this.#list("]", () => this.#value()));
      case '"':
        return this.#string();
      case undefined:
      case ",":
      case "}":
      case "]":
        return this.#fail("A value is missing here.");
      default:
        return JSON.parse(this.#take(literals) ?? this.#fail("This is no JSON value. Texts need double quotes."));
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > deepest) this.#fail("This is nested too deeply.");
    const value = read();
    this.#depth--;
    return value;
  }

  /** What stands between a bracket and its end, with commas between. */
  #list<T>(end: "}" | "]", readItem: () => T): T[] {
    const items: T[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#skip(end)) return items;
    for (;;) {
      items.push(readItem());
      this.#skipSpace();
      if (this.#skip(end)) return items;
      const comma = this.#at;
      if (!this.#skip(",")) this.#fail(`A comma or ${end} is missing here.`);
      this.#skipSpace();
      if (this.#text[this.#at] === end) this.#fail(`There is a comma too many, before ${end}.`, comma);
    }
  }

  #member(): Member {
    const offset = this.#at;
    if (this.#text[this.#at] !== '"') this.#fail("A key in double quotes is missing here.");
    const key = this.#string();
    this.#skipSpace();
    if (!this.#skip(":")) this.#fail("A colon is missing here.");
    this.#skipSpace();
    return { key, offset, value: this.#value() };
  }

  #string(): string {
    const start = this.#at;
    const quoted = this.#take(strings) ?? this.#fail("This text is not closed.");
    try {
      return JSON.parse(quoted);
    } catch {
      return this.#fail("JSON does not allow what is in this text: a line break, or an unknown escape.", start);
    }
  }

  #skipSpace(): void {
    this.#take(space);
    if (/^\/[/*]/.test(this.#text.slice(this.#at, this.#at + 2))) this.#fail("JSON has no comments.");
  }

  #skip(character: string): boolean {
    const isThere = this.#text[this.#at] === character;
    if (isThere) this.#at++;
    return isThere;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(message: string, offset = this.#at): never {
    throw new JsonSyntaxError(offset < this.#text.length ? message : `The JSON ends too early. ${message}`, offset);
  }
}

export interface Member {
  readonly key: string;
  readonly value: unknown;
  /** Where the key stands in the text. */
  readonly offset: number;
}

/** Far more than anybody writes, and far less than the stack holds. */
const deepest = 200;

const space = /[ \t\n\r]*/y;
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const literals = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
