/** For each line of Python whether it begins inside a string of several lines, where nothing is a comment or a marker. */
export function linesInsideStrings(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  return lines.map((line) => {
    const beganInside = open !== null;
    open = openAfter(line, open);
    return beganInside;
  });
}

/** The quotes of the string that is still open at the end of a line. */
function openAfter(line: string, openBefore: string | null): string | null {
  let open = openBefore;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") {
      at++;
    } else if (open !== null) {
      if (!line.startsWith(open, at)) continue;
      at += open.length - 1;
      open = null;
    } else if (line[at] === "#") {
      break;
    } else if (line[at] === '"' || line[at] === "'") {
      const quote = line[at] as string;
      open = line.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
      at += open.length - 1;
    }
  }
  // A string with single quotes ends with its line, whatever else was meant.
  return open?.length === 1 ? null : open;
}
