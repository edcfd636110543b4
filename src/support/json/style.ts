import type { ObjectText } from "./object-text.ts";

/** How a file writes its JSON; what we add to it is written the same way. */
export interface JsonStyle {
  readonly newline: "\n" | "\r\n";
  /** What one level of indentation is; null in a file that has everything on one line. */
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

/** The style of a file, as far as its outermost object shows it. */
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

/** The indentation that a piece of white space leaves the next token with; null when that stays on its line. */
export function indentAfterNewline(space: string): string | null {
  const newline = space.lastIndexOf("\n");
  return newline === -1 ? null : space.slice(newline + 1);
}

export function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}
