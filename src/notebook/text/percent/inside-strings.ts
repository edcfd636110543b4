/** Reads lines of Python and tracks whether the next begins inside a string of several lines. */
export class StringTracker {
  #open: string | null = null;

  get isInside(): boolean {
    return this.#open !== null;
  }

  take(line: string): void {
    this.#open = openAfter(line, this.#open);
  }
}

/** For each line, whether it begins inside a string, where nothing is a comment or a marker. */
export function linesInsideStrings(lines: readonly string[]): boolean[] {
  const strings = new StringTracker();
  return lines.map((line) => {
    const { isInside } = strings;
    strings.take(line);
    return isInside;
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
  // A string with single quotes always ends with its line.
  return open?.length === 1 ? null : open;
}
