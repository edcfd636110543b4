/** Markdown and raw text in a script: commented line by line, or as a string with three quotes. */

export function asComment(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "#" : `# ${line}`))
    .join("\n");
}

export function asString(text: string, quotes: '"""' | "'''"): string {
  return `${quotes}\n${text}\n${quotes}`;
}

/** The text of either form. */
export function plainText(lines: readonly string[]): string {
  return stringContent(lines.join("\n")) ?? lines.map((line) => line.replace(/^# ?/, "")).join("\n");
}

/** Null unless it is exactly one string. */
function stringContent(text: string): string | null {
  const quotes = /^r?("""|''')/.exec(text);
  if (quotes === null) return null;
  const [opening, closing = ""] = quotes;
  const content = text.slice(opening.length, -closing.length);
  const isOneString = text.length >= opening.length + closing.length && text.endsWith(closing);
  if (!isOneString || content.includes(closing)) return null;
  return content.replace(/^\n/, "").replace(/\n$/, "");
}
