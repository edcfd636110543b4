import { asComment } from "./percent/text-lines.ts";

/**
 * Markdown in cell text may stand in comments, as jupytext, VS Code and Spyder write it: every line begins with `# `, an
 * empty one is `#`. Markdown that would be mistaken for that, such as `# Title`, is itself written in comments.
 */
export function writeMarkdown(source: string): string {
  return isCommented(source) ? asComment(source) : source;
}

export function readMarkdown(text: string): string {
  return isCommented(text) ? withoutBlankEnd(text).replace(/^# ?/gm, "") : text;
}

function isCommented(text: string): boolean {
  const lines = withoutBlankEnd(text).split("\n");
  return lines.every((line) => line === "#" || line.startsWith("# ")) && lines.some((line) => line !== "#");
}

/** Blank lines before the next marker are spacing. */
export function withoutBlankEnd(text: string): string {
  const lines = text.split("\n");
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1).join("\n");
}
