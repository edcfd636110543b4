import type { CellType } from "../../cell.ts";
import type { JsonObject } from "../../json/parse.ts";
import { fromForeignCell } from "./foreign-cell.ts";
import { linesInsideStrings } from "./inside-strings.ts";
import { uncommentMagics } from "./magic-comments.ts";
import { isPercentMarker, readPercentMarker } from "./percent-marker.ts";

export interface PercentCell {
  readonly type: CellType;
  readonly source: string;
  readonly metadata: JsonObject;
}

/** Reads a percent script. What comes before the first marker is a code cell, unless it is a header or blank. */
export function parsePercentScript(script: string): PercentCell[] {
  const lines = withoutHeader(
    script
      .replace(/^\ufeff/, "")
      .replace(/\r\n/g, "\n")
      .split("\n"),
  );
  const isInside = linesInsideStrings(lines);
  const starts = [...lines.keys()].filter((at) => !isInside[at] && isPercentMarker(lines[at] as string));
  const cells = starts.map((start, index): PercentCell => {
    const { type, metadata } = readPercentMarker(lines[start] as string);
    const content = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    const foreign = type === "code" ? fromForeignCell(metadata, foreignBody(content)) : null;
    return { type, ...(foreign ?? { source: sourceOf(type, content), metadata }) };
  });
  const before = sourceOf("code", lines.slice(0, starts[0] ?? lines.length));
  return before.trim() === "" ? cells : [{ type: "code", source: before, metadata: {} }, ...cells];
}

function sourceOf(type: CellType, lines: readonly string[]): string {
  const content = withoutSpacing(lines);
  return type === "code" ? uncommentMagics(content.join("\n")) : textOf(content);
}

function foreignBody(lines: readonly string[]): string | null {
  const content = withoutSpacing(lines);
  return content.length === 0 ? null : textOf(content);
}

/** One or two blank lines are the space that Python's style asks for; more than that belong to the cell. */
function withoutSpacing(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const blank = lines.length - end;
  return blank <= 2 || end === 0 ? lines.slice(0, end) : lines.slice(0, lines.length - 1);
}

/** Markdown and raw text: commented line by line, or in a string with three quotes. */
function textOf(lines: readonly string[]): string {
  const quotes = /^r?("""|''')/.exec(lines[0] ?? "")?.[0];
  const isQuoted = quotes !== undefined && lines.at(-1) === quotes.slice(-3) && lines.length > 1;
  if (isQuoted)
    return [...(lines[0] === quotes ? [] : [lines[0]?.slice(quotes.length)]), ...lines.slice(1, -1)].join("\n");
  return lines.map((line) => line.replace(/^# ?/, "")).join("\n");
}

/** `# ---` … `# ---` at the very top: what jupytext keeps about the notebook. A shebang and an encoding, too. */
function withoutHeader(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !/^#(!| -\*-)/.test(line));
  if (lines[start] !== "# ---") return lines.slice(Math.max(start, 0));
  const end = lines.indexOf("# ---", start + 1);
  return end === -1 ? lines : lines.slice(end + 1);
}
