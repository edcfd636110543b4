import { sanitize } from "../../../../output/text/sanitize.ts";
import { sayBytes } from "../../../../output/text/say-size.ts";
import { sayCount } from "../../../../support/say-count.ts";
import { printableLines } from "../../../../view/text/printable.ts";

/** More than anybody scrolls through; reading more of it would make the screen wait. */
const longest = 1024 * 1024;

/** Lines to show of a text; `leftOut` counts those in its middle that are not among them. */
export interface Excerpt {
  readonly lines: readonly string[];
  readonly leftOut: number;
}

/** The lines of what was printed, as a terminal would have them in the end; of very long texts the beginning and the end. */
export function excerptOf(text: string): Excerpt {
  if (text.length <= longest) return { lines: shownLines(text), leftOut: 0 };
  const from = text.lastIndexOf("\n", longest / 2) + 1 || longest / 2;
  const to = text.indexOf("\n", text.length - longest / 2) + 1 || text.length - longest / 2;
  const note = `[${sayBytes(to - from)} are left out here; they are in the file]`;
  const lines = [...shownLines(text.slice(0, from)), note, ...shownLines(text.slice(to))];
  return { lines, leftOut: lineEnds(text, from, to) };
}

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function shownLines(text: string): readonly string[] {
  const lines = printableLines(sanitize(text));
  const last = lines.findLastIndex((line) => line !== "");
  return lines.slice(0, last + 1).map(clamped);
}

/** Nobody reads a line that fills the screen, and folding one that is a megabyte long takes a while. */
const longestLine = 4000;

function clamped(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)}… [${sayCount(line.length - longestLine, "more character")}]`;
}
