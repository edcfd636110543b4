import { highlight } from "./highlight/highlight.ts";
import { besideBar, gutterWidth } from "./lines/gutter.ts";
import { type ListItem, type MarkdownBlock, parseBlocks } from "./markdown/blocks.ts";
import { inline } from "./markdown/inline.ts";
import { renderTable } from "./markdown/table.ts";
import { clamp, pad } from "./text/fit.ts";
import { printableLines } from "./text/printable.ts";
import { visibleWidth } from "./text/styled-text.ts";
import { fold, wrapWords } from "./text/wrap.ts";
import type { Theme } from "./theme/theme.ts";
import type { ViewOptions } from "./view-options.ts";

/** Rendered Markdown, all of it: for a preview, take the first rows. */
export function renderMarkdown(
  text: string,
  { width, theme }: Pick<ViewOptions, "width" | "theme">,
): readonly string[] {
  return renderBlocks(parseBlocks(printableLines(text)), { width, theme });
}

interface Room {
  readonly width: number;
  readonly theme: Theme;
}

function renderBlocks(blocks: readonly MarkdownBlock[], room: Room, isTight = false): readonly string[] {
  const rendered = blocks.map((block) => renderBlock(block, room));
  return rendered.flatMap((rows, at) => (at === 0 || isTight ? rows : ["", ...rows]));
}

function renderBlock(block: MarkdownBlock, room: Room): readonly string[] {
  const { width, theme } = room;
  switch (block.type) {
    case "heading":
      return wrapWords(inline(`${"#".repeat(block.level)} ${block.text}`, theme, ["heading"]), width);
    case "paragraph":
      return paragraphs(block.lines).flatMap((text) => wrapWords(inline(text, theme), width));
    case "code":
      return codeBlock(block.language, block.lines, room);
    case "quote":
      return quoteRows(block.blocks, room);
    case "list":
      return listRows(block.items, block.isLoose, room);
    case "table":
      return tableRows(block, room);
    case "rule":
      return [theme.border("─".repeat(width))];
  }
}

/** Lines of a paragraph are one text, except where two blanks or a backslash end one. */
function paragraphs(lines: readonly string[]): readonly string[] {
  const texts = [""];
  for (const line of lines) {
    const text = line.trim().replace(/\\$/, "");
    texts[texts.length - 1] = `${texts.at(-1)} ${text}`.trim();
    if (/(?: {2}|\\)$/.test(line)) texts.push("");
  }
  return texts.filter((text) => text !== "");
}

function codeBlock(language: string, lines: readonly string[], { width, theme }: Room): readonly string[] {
  const rows = highlight(lines, language, theme).flatMap((line) => fold(line, width - gutterWidth));
  return besideBar(rows, theme);
}

/** Too narrow to indent. */
const narrowest = 10;

function quoteRows(blocks: readonly MarkdownBlock[], { width, theme }: Room): readonly string[] {
  const inside = width - gutterWidth;
  if (inside < narrowest) return renderBlocks(blocks, { width, theme });
  return besideBar(renderBlocks(blocks, { width: inside, theme }), theme);
}

function listRows(items: readonly ListItem[], isLoose: boolean, { width, theme }: Room): readonly string[] {
  const indent = Math.max(...items.map(({ mark }) => visibleWidth(mark))) + 1;
  const inside = width - indent;
  return items.flatMap(({ mark, blocks }, at) => {
    const rows =
      inside < narrowest
        ? [clamp(theme.accent(mark), width), ...renderBlocks(blocks, { width, theme }, !isLoose)]
        : hanging(pad(theme.accent(mark), indent), renderBlocks(blocks, { width: inside, theme }, !isLoose), indent);
    return isLoose && at > 0 ? ["", ...rows] : rows;
  });
}

function hanging(mark: string, [first = "", ...others]: readonly string[], indent: number): readonly string[] {
  return [mark + first, ...others.map((row) => (row === "" ? "" : " ".repeat(indent) + row))];
}

function tableRows(
  { rows, aligns }: MarkdownBlock & { readonly type: "table" },
  { width, theme }: Room,
): readonly string[] {
  const cells = rows.map((row, at) => row.map((cell) => inline(cell, theme, at === 0 ? ["strong"] : [])));
  const asLines = (): readonly string[] => cells.flatMap((row) => wrapWords(row.join(" | "), width));
  return renderTable(cells, aligns, width, theme) ?? asLines();
}
