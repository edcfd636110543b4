import { closeBrace, openBrace } from "../../../../support/json/bytes.ts";
import { ObjectText } from "../../../../support/json/object-text.ts";
import { indentOfMembers, type JsonStyle, nbformatStyle, styleOf } from "../../../../support/json/style.ts";
import type { JsonValue } from "../../../../support/json/value.ts";
import { writeJson } from "../../../../support/json/write.ts";

/**
 * JSON as editors accept it in settings, with comments and commas before a closing brace. The scanner reads a copy in
 * which both are blank, so positions in the copy are positions in the file.
 */
export class JsonWithComments {
  readonly #bytes: Buffer;
  readonly #plain: Buffer;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.#plain = withoutCommas(withoutComments(this.#bytes));
  }

  /** @throws {JsonSyntaxError} */
  get root(): ObjectText {
    // A byte order mark is no JSON.
    const start = this.#plain.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    return ObjectText.of(Buffer.concat([Buffer.alloc(start, " "), this.#plain.subarray(start)]));
  }

  /** The text with a new member at the end of the object at these keys, which are made where they are missing. */
  withMember(path: readonly string[], key: string, value: JsonValue): string {
    const { root } = this;
    const style = {
      ...usualStyle,
      ...(root.size === 0 ? {} : styleOf(root)),
      escapesNonAscii: false,
      sortsKeys: false,
    };
    let [object, outer, base] = [root, "", 0];
    for (const [index, name] of path.entries()) {
      const span = object.spanOf(name);
      if (span === null || object.bytes[span.valueStart] !== openBrace) {
        const missing = path
          .slice(index + 1)
          .reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), { [key]: value });
        return this.#insert(object, base, outer, name, missing, style);
      }
      outer = indentOfMembers(object) ?? outer;
      base += span.valueStart;
      object = ObjectText.of(object.bytes.subarray(span.valueStart, span.valueEnd));
    }
    return this.#insert(object, base, outer, key, value, style);
  }

  #insert(object: ObjectText, base: number, outer: string, key: string, value: JsonValue, style: JsonStyle): string {
    const closer = base + object.end - 1;
    let end = closer;
    while (isSpace(this.#bytes[end - 1])) end--;
    const hasLines = object.size === 0 ? style.indent !== null : indentOfMembers(object) !== null;
    const indent = hasLines ? (indentOfMembers(object) ?? outer + (style.indent ?? "")) : null;
    const member = JSON.stringify(key) + style.colon + writeJson(value, style, indent);
    const before = indent === null ? (object.size === 0 ? "" : " ") : style.newline + indent;
    const hasOwnLine = this.#bytes.subarray(end, closer).includes(0x0a);
    const after = indent === null || hasOwnLine ? "" : style.newline + outer;
    const rest = Buffer.concat([Buffer.from(before + member + after), this.#bytes.subarray(end)]);
    if (object.size === 0) return Buffer.concat([this.#bytes.subarray(0, end), rest]).toString();
    const last = base + object.spanAt(object.size - 1).valueEnd;
    const comma = this.#hasComma(last, closer) ? "" : ",";
    return Buffer.concat([
      this.#bytes.subarray(0, last),
      Buffer.from(comma),
      this.#bytes.subarray(last, end),
      rest,
    ]).toString();
  }

  /** Whether a comma follows the last member; one in a comment is no comma. */
  #hasComma(from: number, to: number): boolean {
    return withoutComments(this.#bytes).subarray(from, to).includes(0x2c);
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const usualStyle: JsonStyle = { ...nbformatStyle, indent: "  ", sortsKeys: false };
const [space, newline, quote, backslash, slash, star, comma, closeBracket] = [32, 10, 34, 92, 47, 42, 44, 93];

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === 9 || byte === 13;
}

/** A copy with spaces in place of comments. */
function withoutComments(bytes: Buffer): Buffer {
  const plain = Buffer.from(bytes);
  for (let at = 0; at < plain.length; at++) {
    if (bytes[at] === quote) at = endOfText(bytes, at);
    else if (bytes[at] === slash && (bytes[at + 1] === slash || bytes[at + 1] === star)) {
      const isLine = bytes[at + 1] === slash;
      const found = isLine ? bytes.indexOf(newline, at) : bytes.indexOf("*/", at + 2);
      const end = found === -1 ? bytes.length : isLine ? found : found + 2;
      for (; at < end; at++) if (bytes[at] !== newline) plain[at] = space;
      at--;
    }
  }
  return plain;
}

/** A copy with spaces in place of commas before a closing brace or bracket. */
function withoutCommas(bytes: Buffer): Buffer {
  const plain = Buffer.from(bytes);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) at = endOfText(bytes, at);
    if (bytes[at] !== comma) continue;
    let next = at + 1;
    while (isSpace(bytes[next])) next++;
    if (bytes[next] === closeBrace || bytes[next] === closeBracket) plain[at] = space;
  }
  return plain;
}

/** The position of the closing quote. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
