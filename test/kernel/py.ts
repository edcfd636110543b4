/**
 * Python source, written with the indentation of the test around it; a backslash stays a backslash.
 * Bun rewrites characters outside of ASCII in such a literal, so they are written as Python's escapes.
 */
export function py(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const lines = String.raw({ raw: strings.raw }, ...values).split("\n");
  if (lines[0]?.trim() === "") lines.shift();
  if (lines.at(-1)?.trim() === "") lines.pop();
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  return lines.map((line) => line.slice(indent)).join("\n");
}
