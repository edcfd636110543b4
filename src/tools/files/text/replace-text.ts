import type { GranaryErrorCode } from "../../../support/error-codes.ts";
import { GranaryError } from "../../../support/granary-error.ts";

/** `old` has to occur exactly once, unless `all` is set. */
export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean | undefined;
}

export interface ReplacedText {
  readonly text: string;
  readonly replacements: number;
}

/** Makes replacements one after the other, each in the result of the one before; all of them, or none when one throws. */
export function replaceText(text: string, replacements: readonly Replacement[]): ReplacedText {
  let count = 0;
  let current = text;
  for (const [index, replacement] of replacements.entries()) {
    const which = replacements.length === 1 ? "" : `Edit ${index + 1} of ${replacements.length}: `;
    const replaced = replaceOne(current, replacement, which);
    current = replaced.text;
    count += replaced.replacements;
  }
  return { text: current, replacements: count };
}

function replaceOne(text: string, { old, new: replacement, all = false }: Replacement, which: string): ReplacedText {
  const problem = (code: GranaryErrorCode, sentence: string) =>
    new GranaryError(code, `${which}${sentence} Nothing was changed.`);
  if (old === replacement) throw problem("nothing-to-do", "old and new are the same.");
  if (old === "") {
    if (text === "") return { text: replacement, replacements: 1 };
    throw problem("text-ambiguous", "old is empty, which matches everywhere. Give the text to replace, or use write.");
  }
  const { found, inserted, places } = find(text, old, replacement);
  if (places.length === 0) throw problem("text-not-found", `The text was not found.${whereAlmost(text, old)}`);
  if (places.length > 1 && !all) {
    const lines = places.map((place) => lineAt(text, place));
    const shown = lines.length > 10 ? `${lines.slice(0, 10).join(", ")} …` : lines.join(", ");
    throw problem(
      "text-ambiguous",
      `The text occurs ${places.length} times, at lines ${shown}. Include more of the lines around the one you mean, or set all.`,
    );
  }
  return { text: text.split(found).join(inserted), replacements: places.length };
}

/** In a file with CRLF line ends, LF in a model's text means the same lines, and the file keeps CRLF. */
function find(text: string, old: string, replacement: string) {
  const asThere = { found: old, inserted: replacement, places: placesOf(text, old) };
  const hasOnlyCrlf = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  if (asThere.places.length > 0 && !hasOnlyCrlf) return asThere;
  const found = withCrlf(old);
  const places = placesOf(text, found);
  return places.length === 0 ? asThere : { found, inserted: withCrlf(replacement), places };
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

/** Counted from 1. */
function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Where a text that was not found almost matches, as a sentence that begins with a space; or empty. */
function whereAlmost(text: string, wanted: string): string {
  const lines = text.split("\n").map(withoutSpace);
  const wantedLines = wanted.split("\n").map(withoutSpace);
  while (wantedLines[0] === "") wantedLines.shift();
  while (wantedLines.at(-1) === "") wantedLines.pop();
  const [first] = wantedLines;
  if (first === undefined) return "";
  const beginnings = lines.flatMap((line, index) => (line === first ? [index] : []));
  const same = beginnings.find((start) => wantedLines.every((line, offset) => lines[start + offset] === line));
  if (same !== undefined) {
    return ` At line ${same + 1} the same words have other white space: copy them exactly as read shows them.`;
  }
  const [start] = beginnings;
  if (start === undefined) return " Read the file again: it may have changed.";
  const offset = wantedLines.findIndex((line, at) => lines[start + at] !== line);
  return ` Its first line is line ${start + 1}, but line ${start + offset + 1} differs.`;
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, "");
}
