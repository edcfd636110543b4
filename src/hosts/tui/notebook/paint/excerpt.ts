import { sanitize } from "../../../../output/text/sanitize.ts";
import { sayBytes } from "../../../../output/text/say-size.ts";
import { sayCount } from "../../../../support/say-count.ts";
import { printableLines } from "../../../../view/text/printable.ts";

/** More than a person scrolls through; reading more would delay the screen. */
const longest = 1024 * 1024;

/** Visible lines of a text; `leftOut` counts the omitted lines in its middle. */
export interface Excerpt {
  readonly lines: readonly string[];
  readonly leftOut: number;
}

/** The lines of printed text as a terminal would end up with; of very long texts, the beginning and the end. */
export function excerptOf(text: string): Excerpt {
  if (text.length <= longest) return { lines: shownLines(text), leftOut: 0 };
  const from = text.lastIndexOf("\n", longest / 2) + 1 || longest / 2;
  const to = text.indexOf("\n", text.length - longest / 2) + 1 || text.length - longest / 2;
  const note = `[${sayBytes(to - from)} left out; the file has them]`;
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

/** A line longer than the screen is unreadable, and folding a megabyte is slow. */
const longestLine = 4000;

function clamped(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)}… [${sayCount(line.length - longestLine, "more character")}]`;
}
