/** The part of a text that a cursor can still reach. */

/** The start of the last so many lines in a text of whole lines. */
export function startOfLastLines(text: string, count: number): number {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) {
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

/** The end of the unreachable part of a text of whole lines, because of a line that is too long. */
export function endOfLongLines(text: string, columns: number): number {
  let end = text.length;
  while (end > columns) {
    const start = end === 1 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    const unreachable = endOfLongLine(text.slice(start, end - 1), columns);
    if (unreachable > 0) return start + unreachable;
    end = start;
  }
  return 0;
}

/** The start of the rewritable part of a line. */
export function endOfLongLine(line: string, columns: number): number {
  let end = 0;
  while (line.length - end > columns) end += isInsideCharacter(line, end + columns) ? columns - 1 : columns;
  return end;
}

function isInsideCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
