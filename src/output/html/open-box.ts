import type { CellBox } from "./boxes.ts";
import { attribute, numberAttribute } from "./html-attribute.ts";
import type { HtmlReader } from "./html-reader.ts";
import { indentedLines, MarkdownFlow } from "./markdown-flow.ts";
import type { OpenBoxes } from "./open-boxes.ts";
import { TableGrid, type TableLimits } from "./table-grid.ts";

/** Opens the box of a block. Many elements end an open one of their kind that has no end tag. */
export function openBox(
  name: string,
  attributes: string,
  { open, reader, limits }: { readonly open: OpenBoxes; readonly reader: HtmlReader; readonly limits: TableLimits },
): void {
  switch (name) {
    case "pre":
      return open.push({ kind: "pre", name, pieces: [], language: "" });
    case "ul":
    case "menu":
    case "dir":
      return open.push({ kind: "list", name, items: [], number: null });
    case "ol":
      return open.push({ kind: "list", name, items: [], number: wholeNumber(attributes, "start") ?? 1 });
    case "li":
      return openItem(open, attributes);
    case "table":
      return open.push({ kind: "table", name, grid: new TableGrid(limits), inHead: false });
    case "tr":
      return openRow(open, reader);
    case "td":
    case "th":
      return openCell(open, reader, limits, name, attributes);
    case "caption":
      return openCaption(open);
    case "blockquote":
      return openBlock(open, name, (text) => indentedLines(text, "> ", "> "), 2);
    case "dt":
      open.close(["dt", "dd"], ["cell"]);
      return openBlock(open, name, bold, 1);
    case "dd":
      open.close(["dt", "dd"], ["cell"]);
      return openBlock(open, name, (text) => indentedLines(text, ": ", "  "), 1);
    case "summary":
      return openBlock(open, name, bold, 2);
    default: {
      const marks = "#".repeat(Number(name.slice(1)));
      return openBlock(open, name, (text) => `${marks} ${oneLine(text)}`, 2);
    }
  }
}

function openBlock(open: OpenBoxes, name: string, markdown: (text: string) => string, gap: 1 | 2): void {
  const end = (text: string, around: MarkdownFlow) => around.block(text === "" ? "" : markdown(text), gap);
  open.push({ kind: "block", name, flow: new MarkdownFlow(), end });
}

function openItem(open: OpenBoxes, attributes: string): void {
  open.close(["li"], ["list", "cell"]);
  const list = open.nearest("list", ["cell"]);
  if (list && list.number !== null) list.number = wholeNumber(attributes, "value") ?? list.number;
  open.push({ kind: "item", name: "li", flow: new MarkdownFlow(), isStray: false });
}

/** Counts the remaining rows of a full table without reading them. */
function openRow(open: OpenBoxes, reader: HtmlReader): void {
  const table = open.nearest("table");
  if (table === null) return;
  open.closeInside(table);
  if (table.grid.isFull) table.grid.leaveOut(1 + reader.skipRows());
  else open.push({ kind: "row", name: "tr", cells: [], columns: 0 });
}

function openCell(
  open: OpenBoxes,
  reader: HtmlReader,
  limits: TableLimits,
  name: "td" | "th",
  attributes: string,
): void {
  if (open.nearest("row", ["table"]) === null) openRow(open, reader);
  const row = open.nearest("row", ["table"]);
  if (row === null) return;
  open.closeInside(row);
  const cell: CellBox = {
    kind: "cell",
    name,
    flow: new MarkdownFlow({ inCell: true }),
    header: name === "th",
    // The most that HTML allows.
    columns: numberAttribute(attributes, "colspan", 1000),
    rows: numberAttribute(attributes, "rowspan", 65_534),
    hidden: row.columns >= limits.columns,
    holdsTable: false,
  };
  row.columns += cell.columns;
  open.push(cell);
}

function openCaption(open: OpenBoxes): void {
  const table = open.nearest("table", ["cell"]);
  const end = (text: string, around: MarkdownFlow) => {
    if (table) table.grid.caption = text;
    else around.block(text, 2);
  };
  open.push({ kind: "block", name: "caption", flow: new MarkdownFlow(), end });
}

function wholeNumber(attributes: string, name: string): number | null {
  const number = Number.parseInt(attribute(attributes, name) ?? "", 10);
  return Number.isSafeInteger(number) ? number : null;
}

function bold(text: string): string {
  return `**${oneLine(text)}**`;
}

function oneLine(text: string): string {
  return text.replace(/\n+/g, " ");
}
