/** Where a text that was not found would almost have been, as a sentence that begins with a space; or nothing. */
export function whereAlmost(text: string, wanted: string): string {
  const lines = text.split("\n").map(withoutSpace);
  const wantedLines = wanted.split("\n").map(withoutSpace);
  while (wantedLines[0] === "") wantedLines.shift();
  while (wantedLines.at(-1) === "") wantedLines.pop();
  const [first] = wantedLines;
  if (first === undefined) return "";
  const beginnings = lines.flatMap((line, index) => (line === first ? [index] : []));
  const same = beginnings.find((start) => wantedLines.every((line, offset) => lines[start + offset] === line));
  if (same !== undefined) {
    return ` At line ${same + 1} the same words stand with other white space: copy them exactly as read shows them.`;
  }
  const [start] = beginnings;
  if (start === undefined) return " Read the file again: it may have changed.";
  const offset = wantedLines.findIndex((line, at) => lines[start + at] !== line);
  return ` Its first line is line ${start + 1}, but line ${start + offset + 1} is another.`;
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, "");
}
