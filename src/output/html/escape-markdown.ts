/**
 * Escapes text so that Markdown shows it unchanged, with as few backslashes as possible: `user_id` and `2 * 3` mean
 * nothing in Markdown and stay readable. The start of a tag becomes an entity, so the result has no tags.
 */
export function escapeText(text: string): string {
  return text.replace(special, (found) => entities[found] ?? `\\${found}`);
}

const special = new RegExp(
  [
    /`/u, // code
    /\*(?!\s)|(?<!\s)\*/u, // emphasis, unless spaces are on both sides
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u, // emphasis, unless inside a word
    /~(?=~)/u, // struck out
    /\((?<=\]\()/u, // a link's address
    /\\(?=[!-/:-@[-`{-~])/u, // an escape
    /<(?=[a-z/!?]|$)/u, // a tag
    /&(?=#?\w+;)/u, // an entity
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);

const entities: Record<string, string> = { "<": "&lt;", "&": "&amp;" };

/** The beginning of a heading, a list, a quote or a rule, at the start of a line only. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?:(?:#{1,6}|[-+*])(?=\s|$)|>|-{3,}$|={3,}$)/, "\\$&")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2");
}

/** Code between backticks, more of them than the code contains. */
export function codeSpan(code: string): string {
  const fence = "`".repeat(longestRun(code) + 1);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return `${fence}${pad}${code}${pad}${fence}`;
}

export function codeBlock(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
