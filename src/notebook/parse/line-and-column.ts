/** Where a byte is, as an editor counts: lines and characters from 1. */
export function lineAndColumn(bytes: Buffer, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: [...bytes.toString("utf8", lineStart, offset)].length + 1 };
}
