import { nextTabStop } from "../../output/text/column-width.ts";
import { visibleText } from "../../output/text/visible-text.ts";
import { graphemes, isAscii } from "./graphemes.ts";

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** The lines of any text, safe for a terminal: nothing in them moves the cursor or changes a style. */
export function printableLines(text: string): readonly string[] {
  const lines = text.split(lineEnd);
  // A final line end does not begin another line.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map(printable);
}

/** Any text on one line: a title, a path, a name. */
export function oneLine(text: string): string {
  const [first = "", ...others] = text.split(lineEnd);
  if (others.length === 0) return printable(first);
  const last = others.pop() ?? "";
  const between = others.map((line) => line.trim()).filter((line) => line !== "");
  return printable([first.trimEnd(), ...between, last.trimStart()].join(" "));
}

function printable(line: string): string {
  return isAscii(line) ? line : withoutTabs(visibleText(line));
}

function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let shown = "";
  let column = 0;
  for (const { text, width } of graphemes(line)) {
    const columns = text === "\t" ? nextTabStop(column) - column : width;
    shown += text === "\t" ? " ".repeat(columns) : text;
    column += columns;
  }
  return shown;
}
