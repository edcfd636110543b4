import { GranaryError } from "../../support/granary-error.ts";

/** UTF-8 has no form for half of a pair of UTF-16, and writing would put another character in its place. */
export function requireWholeCharacters(text: string, name: string): void {
  const place = text.search(/\p{Surrogate}/u);
  if (place === -1) return;
  const line = text.slice(0, place).split("\n").length;
  const code = text.charCodeAt(place).toString(16);
  throw new GranaryError(
    "not-utf8",
    `${name} has half of a character at line ${line}, \\u${code}, which UTF-8 cannot hold. Nothing was written. ` +
      "Pass the whole character, or write the bytes with Python.",
    { details: { line } },
  );
}
