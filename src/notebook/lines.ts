/**
 * Splits text into lines that keep their ends, at the same places as Python's `splitlines`: nbformat writes text this way, so
 * a notebook that Jupyter saves again does not change. No line for an empty text.
 */
export function splitLines(text: string): string[] {
  return text.match(lineWithEnd) ?? [];
}

const ends = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029";
const lineWithEnd = new RegExp(`[^${ends}]*(?:\\r\\n|[${ends}])|[^${ends}]+`, "g");
const endOfLine = new RegExp(`(?:\\r\\n|[${ends}])$`);

/** The lines without their ends. */
export function linesIn(text: string): string[] {
  return splitLines(text).map((line) => line.replace(endOfLine, ""));
}
