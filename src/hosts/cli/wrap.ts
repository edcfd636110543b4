/**
 * Breaks text between words into lines of at most so many columns. A longer word, such as a path, stays whole, so that
 * it can be copied. Line ends in the text stay where they are.
 */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => (line.length <= columns ? [line] : wrapLine(line, columns)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  const [first = "", ...words] = line.trimEnd().split(/(?<=\S) +/);
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
