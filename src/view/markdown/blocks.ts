import { tableAt } from "./table-source.ts";

/** The blocks of Markdown. Their texts are not parsed; `inline.ts` does that. */
export type MarkdownBlock =
  | { readonly type: "heading"; readonly level: number; readonly text: string }
  | { readonly type: "paragraph"; readonly lines: readonly string[] }
  | { readonly type: "code"; readonly language: string; readonly lines: readonly string[] }
  | { readonly type: "quote"; readonly blocks: readonly MarkdownBlock[] }
  | { readonly type: "list"; readonly items: readonly ListItem[]; readonly isLoose: boolean }
  | { readonly type: "table"; readonly rows: readonly (readonly string[])[]; readonly aligns: readonly Align[] }
  | { readonly type: "rule" };

export interface ListItem {
  readonly mark: string;
  readonly blocks: readonly MarkdownBlock[];
}

export type Align = "left" | "right" | "center";

/** Deeper quotes and lists are plain text: a column of twenty has no room for them. */
const deepest = 6;

/** The usual Markdown, without HTML and without links that are defined elsewhere. */
export function parseBlocks(lines: readonly string[], depth = 0): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const found = blockAt(lines, at, depth);
    if (found.block !== null) blocks.push(found.block);
    at = found.next;
  }
  return blocks;
}

interface Found {
  readonly block: MarkdownBlock | null;
  readonly next: number;
}

type Parser = (lines: readonly string[], at: number, depth: number) => Found | null;

function blockAt(lines: readonly string[], at: number, depth: number): Found {
  if (lines[at]?.trim() === "") return { block: null, next: at + 1 };
  const parsers = depth < deepest ? [...flat, quoteAt, listAt] : flat;
  for (const parse of parsers) {
    const found = parse(lines, at, depth);
    if (found !== null) return found;
  }
  return paragraphAt(lines, at, depth);
}

const fence: Parser = (lines, at) => {
  const [, indent = "", ticks = "", language = ""] = /^( {0,3})(`{3,}|~{3,})\s*([\w+-]*)/.exec(lines[at] ?? "") ?? [];
  if (ticks === "") return null;
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end] ?? "", ticks)) end++;
  const inside = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return { block: { type: "code", language, lines: inside }, next: end + 1 };
};

const isClosing = (line: string, ticks: string): boolean => line.trim().startsWith(ticks) && /^[\s`~]*$/.test(line);

const indentedCode: Parser = (lines, at) => {
  let end = at;
  while (end < lines.length && /^(?: {4}|\s*$)/.test(lines[end] ?? "")) end++;
  while (end > at && lines[end - 1]?.trim() === "") end--;
  if (end === at) return null;
  return { block: { type: "code", language: "", lines: lines.slice(at, end).map((line) => line.slice(4)) }, next: end };
};

const heading: Parser = (lines, at) => {
  const [, signs = "", text = ""] = /^ {0,3}(#{1,6})(?:\s+(.*))?$/.exec(lines[at] ?? "") ?? [];
  if (signs === "") return null;
  return { block: { type: "heading", level: signs.length, text: withoutClosingSigns(text) }, next: at + 1 };
};

/** `# Title ##` is the same as `# Title`. */
function withoutClosingSigns(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end--;
  const areClosing = end === 0 || /\s/.test(trimmed[end - 1] ?? "");
  return areClosing ? trimmed.slice(0, end).trimEnd() : trimmed;
}

const rule: Parser = (lines, at) =>
  /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/.test(lines[at] ?? "") ? { block: { type: "rule" }, next: at + 1 } : null;

const table: Parser = (lines, at) => {
  const found = tableAt(lines, at);
  return found === null ? null : { block: { type: "table", rows: found.rows, aligns: found.aligns }, next: found.next };
};

const flat: readonly Parser[] = [fence, indentedCode, heading, rule, table];

function quoteAt(lines: readonly string[], at: number, depth: number): Found | null {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? "")) end++;
  if (end === at) return null;
  const inside = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return { block: { type: "quote", blocks: parseBlocks(inside, depth + 1) }, next: end };
}

const itemStart = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(\S.*)|\s*)$/;

function listAt(lines: readonly string[], at: number, depth: number): Found | null {
  const items: ListItem[] = [];
  let next = at;
  let isLoose = false;
  const kind = kindOf(itemStart.exec(lines[at] ?? "")?.[2]);
  while (next < lines.length) {
    const start = itemStart.exec(lines[next] ?? "");
    if (start === null || kindOf(start[2]) !== kind) break;
    const [, indent = "", mark = "", gap = " "] = start;
    const inside = indent.length + mark.length + gap.length;
    const end = endOfItem(lines, next + 1, inside);
    const own = lines.slice(next, end).map((line, row) => (row === 0 ? line.slice(inside) : dedent(line, inside)));
    isLoose ||= own.some((line) => line.trim() === "");
    items.push({ mark: kind === "number" ? mark : "•", blocks: parseBlocks(own, depth + 1) });
    next = end;
    const isGap = lines[next]?.trim() === "";
    if (isGap && itemStart.test(lines[next + 1] ?? "")) {
      isLoose = true;
      next++;
    }
  }
  return items.length === 0 ? null : { block: { type: "list", items, isLoose }, next };
}

const kindOf = (mark: string | undefined): string | undefined => (mark && /\d/.test(mark) ? "number" : mark);

/** An item continues with indented lines below it, and with the rest of its paragraph. */
function endOfItem(lines: readonly string[], from: number, indent: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      if (!isIndented(lines[at + 1] ?? "", indent)) break;
    } else if (!isIndented(line, indent) && (lines[at - 1]?.trim() === "" || startsBlock(line))) break;
    end = at + 1;
  }
  return end;
}

const isIndented = (line: string, indent: number): boolean => line.trim() !== "" && line.search(/\S/) >= indent;

const dedent = (line: string, indent: number): string => line.replace(new RegExp(`^ {0,${indent}}`), "");

/** Whether a line ends the paragraph above it. */
const startsBlock = (line: string): boolean =>
  /^ {0,3}(?:#{1,6}(?:\s|$)|`{3}|~{3}|>)/.test(line) || itemStart.test(line) || rule([line], 0, 0) !== null;

function paragraphAt(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const underline = /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1];
    if (underline !== undefined) {
      const text = lines.slice(at, end).join(" ").trim();
      return { block: { type: "heading", level: underline.startsWith("=") ? 1 : 2, text }, next: end + 1 };
    }
    if (line.trim() === "" || (depth < deepest && startsBlock(line))) break;
  }
  return { block: { type: "paragraph", lines: lines.slice(at, end) }, next: end };
}
