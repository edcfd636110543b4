import { linesInsideStrings } from "./inside-strings.ts";

/**
 * A percent script is valid Python, so a cell's magics and commands are comments in it: `# %time x`. A comment that
 * looks like one of them gets one more `# `, so that nothing is ever taken for what it is not.
 */
export function commentMagics(source: string): string {
  return eachLineOfCode(source, (line) => line.replace(magicLine, "$1# $2"));
}

export function uncommentMagics(text: string): string {
  return eachLineOfCode(text, (line) => line.replace(commentedMagicLine, "$1$2"));
}

const magic = String.raw`(?:# )*(?:%{1,2}[a-zA-Z]|!\S|\?{1,2}[\w.]+$|[\w.]+\?{1,2}$|[\w.]+ = [%!][a-zA-Z])`;
const magicLine = new RegExp(`^(\\s*)(${magic})`);
const commentedMagicLine = new RegExp(`^(\\s*)# (${magic})`);

function eachLineOfCode(source: string, change: (line: string) => string): string {
  const lines = source.split("\n");
  const isInside = linesInsideStrings(lines);
  return lines.map((line, index) => (isInside[index] ? line : change(line))).join("\n");
}
