import { newline, openBrace, openBracket } from "./bytes.ts";
import { ObjectText } from "./object-text.ts";
import { parseSpan } from "./parse.ts";
import { isSameValue } from "./same-value.ts";
import { indentOfMembers, type JsonStyle } from "./style.ts";
import type { JsonValue } from "./value.ts";
import { writeJson } from "./write.ts";

export interface MemberPlace {
  /** The order of keys elsewhere in the file; a new key is inserted in that order. */
  readonly order: readonly string[];
  /** The indentation of the object's first line; null when unknown or meaningless. */
  readonly indent: string | null;
}

/** The object with a member's value replaced, or with a new member; the same object when the value is equal. */
export function withMember(
  object: ObjectText,
  key: string,
  value: JsonValue,
  style: JsonStyle,
  place: MemberPlace,
): ObjectText {
  const index = object.find(key);
  if (index === -1) return withNewMember(object, key, value, style, place);
  const { valueStart, valueEnd } = object.spanAt(index);
  if (isSameValue(parseSpan(object.bytes, valueStart, valueEnd), value)) return object;
  const sharesLine = hasContentOnOneLine(object.bytes, valueStart, valueEnd);
  return object.withValueText(index, writeJson(value, style, sharesLine ? null : indentOfMembers(object)));
}

/** The object without a member, including duplicates of its key. */
export function withoutMember(object: ObjectText, key: string): ObjectText {
  let rest = object;
  for (let index = rest.find(key); index !== -1; index = rest.find(key)) rest = withoutMemberAt(rest, index);
  return rest;
}

/** The object with a member's value replaced by JSON text. */
export function withValueText(object: ObjectText, key: string, text: string | Buffer): ObjectText {
  const index = object.find(key);
  return index === -1 ? object : object.withValueText(index, text);
}

function withNewMember(
  object: ObjectText,
  key: string,
  value: JsonValue,
  style: JsonStyle,
  { order, indent: outer }: MemberPlace,
): ObjectText {
  if (object.size === 0) {
    const text = writeJson({ [key]: value }, style, style.indent === null ? null : outer);
    return splice(object, object.start, object.end, text);
  }
  const indent = indentOfMembers(object);
  const member = JSON.stringify(key) + style.colon + writeJson(value, style, indent);
  const before = lastMemberBefore(object, key, order);
  if (before === -1) {
    const first = object.spanAt(0).keyStart;
    return splice(object, first, first, member + separatorIn(object, style));
  }
  const at = object.spanAt(before).valueEnd;
  return splice(object, at, at, separatorIn(object, style) + member);
}

/** The separator between two members: the object's own, or the one it would have. */
function separatorIn(object: ObjectText, style: JsonStyle): string {
  if (object.size > 1) {
    return object.bytes.toString("latin1", object.spanAt(0).valueEnd, object.spanAt(1).keyStart);
  }
  const indent = indentOfMembers(object);
  return indent === null ? style.comma : `,${style.newline}${indent}`;
}

/** The last member whose key comes before `key` in the usual order; -1 when `key` comes first. */
function lastMemberBefore(object: ObjectText, key: string, order: readonly string[]): number {
  const rank = order.indexOf(key);
  if (rank === -1) return object.size - 1;
  for (let index = object.size - 1; index >= 0; index--) {
    const other = order.indexOf(object.keyAt(index));
    if (other !== -1 && other < rank) return index;
  }
  return -1;
}

function withoutMemberAt(object: ObjectText, index: number): ObjectText {
  const { keyStart, valueEnd } = object.spanAt(index);
  if (object.size === 1) return splice(object, object.start + 1, object.end - 1, "");
  // Removing the first member removes the comma after it; any other, the comma before it.
  if (index === 0) return splice(object, keyStart, object.spanAt(1).keyStart, "");
  return splice(object, object.spanAt(index - 1).valueEnd, valueEnd, "");
}

function splice(object: ObjectText, start: number, end: number, text: string): ObjectText {
  return ObjectText.of(object.spliced(start, end, text));
}

/** `["a", "b"]` and `{"id": 1}` on one line, in a file that otherwise has a line for each: keep the author's layout. */
function hasContentOnOneLine(bytes: Buffer, start: number, end: number): boolean {
  const isContainer = bytes[start] === openBracket || bytes[start] === openBrace;
  if (!isContainer || bytes.subarray(start, end).includes(newline)) return false;
  return bytes.toString("latin1", start + 1, Math.min(end - 1, start + 80)).trim() !== "";
}
