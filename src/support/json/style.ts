import type { ObjectText } from "./object-text.ts";

/** How a file formats its JSON; additions use the same style. */
export interface JsonStyle {
  readonly newline: "\n" | "\r\n";
  /** One level of indentation; null in a file on one line. */
  readonly indent: string | null;
  /** Between a key and its value. */
  readonly colon: string;
  /** Between values that share a line. */
  readonly comma: string;
  /** Whether characters beyond ASCII are written as `\u....`. */
  readonly escapesNonAscii: boolean;
  readonly sortsKeys: boolean;
}

/** As Python's nbformat writes. */
export const nbformatStyle: JsonStyle = {
  newline: "\n",
  indent: " ",
  colon: ": ",
  comma: ", ",
  escapesNonAscii: false,
  sortsKeys: true,
};

/** The style of a file, as seen in its outermost object. */
export function styleOf(object: ObjectText): Omit<JsonStyle, "escapesNonAscii"> {
  if (object.size === 0) return nbformatStyle;
  const { bytes } = object;
  const first = object.spanAt(0);
  const indent = indentOfMembers(object);
  const betweenMembers = object.size > 1 ? bytes.toString("latin1", first.valueEnd, object.spanAt(1).keyStart) : ", ";
  return {
    newline: bytes.toString("latin1", object.start, first.keyStart).includes("\r\n") ? "\r\n" : "\n",
    indent,
    colon: bytes.toString("latin1", first.keyEnd, first.valueStart),
    comma: indent === null ? betweenMembers : ", ",
    sortsKeys: isSorted(object.keys),
  };
}

/** The indentation of an object's members; null when they share its line. */
export function indentOfMembers(object: ObjectText): string | null {
  if (object.size === 0) return null;
  return indentAfterNewline(object.bytes.toString("latin1", object.start + 1, object.spanAt(0).keyStart));
}

/** The indentation after a piece of white space; null without a line break. */
export function indentAfterNewline(space: string): string | null {
  const newline = space.lastIndexOf("\n");
  return newline === -1 ? null : space.slice(newline + 1);
}

export function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}
