import { closeBrace, closeBracket, comma, openBrace, openBracket } from "../../support/json/bytes.ts";
import { parseSpan } from "../../support/json/parse.ts";
import { JsonScanner } from "../../support/json/scanner.ts";
import { type JsonProblem, JsonSyntaxError } from "../../support/json/tokens.ts";

export interface Member {
  readonly key: string;
  readonly value: unknown;
  /** Where the key stands, in bytes. */
  readonly offset: number;
}

/** Far more than anybody writes, and far less than the stack holds. */
const deepest = 200;

/**
 * Reads JSON as `JSON.parse` does, and hands over what that keeps to itself: where each key stands, and that a key stands
 * there twice.
 */
export class JsonText {
  readonly #bytes: Buffer;
  readonly #makeObject: (members: readonly Member[]) => unknown;
  readonly #scanner: JsonScanner;
  #depth = 0;
  /** Where the object or list around the scanner ends, or would. */
  #closer = "}";

  constructor(text: string, makeObject: (members: readonly Member[]) => unknown) {
    // Some editors begin a file with a byte order mark.
    this.#bytes = Buffer.from(text.replace(/^\uFEFF/, ""));
    this.#makeObject = makeObject;
    this.#scanner = new JsonScanner(this.#bytes);
    // Only Python knows those numbers.
    this.#scanner.onNonFinite = (start) =>
      this.#scanner.fail("This is no JSON value. JSON has no such numbers.", "other", start);
  }

  /** @throws {JsonSyntaxError} */
  parse(): unknown {
    try {
      const value = this.#value();
      if (this.#scanner.peek() !== -1) this.#scanner.fail("The JSON has ended before this.");
      return value;
    } catch (error) {
      throw error instanceof JsonSyntaxError ? this.#explained(error) : error;
    }
  }

  /** As people and editors count: from 1. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const before = this.#bytes.toString("utf8", 0, offset).split("\n");
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }

  #value(): unknown {
    switch (this.#scanner.peek()) {
      case openBrace:
        return this.#nested("}", () => this.#object());
      case openBracket:
        return this.#nested("]", () => this.#list());
      default:
        return this.#scalar();
    }
  }

  #nested<T>(closer: string, read: () => T): T {
    const around = this.#closer;
    if (++this.#depth > deepest) this.#scanner.fail("This is nested too deeply.");
    this.#closer = closer;
    const value = read();
    this.#closer = around;
    this.#depth--;
    return value;
  }

  #object(): unknown {
    const members: Member[] = [];
    this.#scanner.readObject((offset, end) => {
      const key = parseSpan(this.#bytes, offset, end) as string;
      members.push({ key, offset, value: this.#value() });
    });
    return this.#makeObject(members);
  }

  #list(): readonly unknown[] {
    const items: unknown[] = [];
    this.#scanner.readArray(() => items.push(this.#value()));
    return items;
  }

  #scalar(): unknown {
    const start = this.#scanner.at;
    this.#scanner.skipValue();
    return parseSpan(this.#bytes, start, this.#scanner.at);
  }

  /** In the words of the other sentences about settings, and where somebody would correct it. */
  #explained({ message, offset, problem }: JsonSyntaxError): JsonSyntaxError {
    const missing = this.#bytes[offset] ?? -1;
    const tooMany = this.#commaBefore(offset);
    if (missing === slash) return new JsonSyntaxError("JSON has no comments.", offset);
    if (tooMany !== null && (missing === closeBrace || missing === closeBracket) && problem !== "other") {
      return new JsonSyntaxError(`There is a comma too many, before ${this.#closer}.`, tooMany);
    }
    // Of a text, the scanner has not left its beginning.
    const place = problem === "text" ? this.#scanner.at : offset;
    const sentence = problem === "other" ? message : this.#sentence(problem, missing);
    return new JsonSyntaxError(missing === -1 ? `The JSON ends too early. ${sentence}` : sentence, place);
  }

  #sentence(problem: Exclude<JsonProblem, "other">, missing: number): string {
    switch (problem) {
      case "value":
        return nothings.includes(missing)
          ? "A value is missing here."
          : "This is no JSON value. Texts need double quotes.";
      case "digit":
        return "A digit is missing here.";
      case "key":
        return "A key in double quotes is missing here.";
      case "colon":
        return "A colon is missing here.";
      case "comma":
        return `A comma or ${this.#closer} is missing here.`;
      case "quote":
        return "This text is not closed.";
      case "text":
        return "JSON does not allow what is in this text: a line break, or an unknown escape.";
    }
  }

  /** Where the last token before is a comma; null where it is none. */
  #commaBefore(offset: number): number | null {
    const before = this.#bytes.toString("latin1", 0, offset).trimEnd();
    return before.endsWith(",") ? before.length - 1 : null;
  }
}

const slash = 0x2f;
/** What stands where a value should be, when there is none. */
const nothings = [-1, comma, closeBrace, closeBracket];
