import type { TextOutput } from "./cells.ts";

/** Of a text, the page keeps so many characters of its beginning, and so many of its end. */
export const keptCharacters = 100_000;

export const noText = (stream: TextOutput["stream"]): TextOutput => ({ kind: "text", stream, text: "", omitted: null });

/** The same on both sides, so that text that is sent once is the text of a snapshot. */
export function appendText(before: TextOutput, text: string, skipped = 0): TextOutput {
  const { text: kept, omitted } = skipped === 0 ? before : beginningOf(before, skipped);
  const joined = withoutOverwritten(kept, text);
  const head = omitted?.at ?? keptCharacters;
  const excess = joined.length - head - keptCharacters;
  if (excess <= 0) return { ...before, text: joined, omitted };
  return {
    ...before,
    text: joined.slice(0, head) + joined.slice(head + excess),
    omitted: { at: head, characters: (omitted?.characters ?? 0) + excess },
  };
}

/** Text was left out after this one, so its end is no longer the end of the output. */
function beginningOf({ text, omitted }: TextOutput, skipped: number): Pick<TextOutput, "text" | "omitted"> {
  const at = omitted?.at ?? Math.min(text.length, keptCharacters);
  const characters = (omitted?.characters ?? 0) + text.length - at + skipped;
  return { text: text.slice(0, at), omitted: { at, characters } };
}

/** A progress bar writes its line again and again: its last two forms are enough, of which the newer may be shorter. */
function withoutOverwritten(before: string, text: string): string {
  if (!text.includes("\r")) return before + text;
  const start = before.lastIndexOf("\n") + 1;
  const lines = (before.slice(start) + text).split("\n").map(lastForms);
  return before.slice(0, start) + lines.join("\n");
}

/** Sequences that move the cursor, which may depend on all of the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const movement = /\u001b\[\d*[A-HJf]/;

function lastForms(line: string): string {
  if (movement.test(line)) return line;
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  const last = line.lastIndexOf("\r", end - 1);
  const before = last <= 0 ? -1 : line.lastIndexOf("\r", last - 1);
  return before === -1 ? line : line.slice(before + 1);
}
