import type { InlineText, MarkdownFlow } from "./markdown-flow.ts";
import type { TableCell, TableGrid } from "./table-grid.ts";

/**
 * An open element that matters for the Markdown. Most elements (`div`, `span`, `p`) do not: they only separate text.
 * A box collects its content and, when it closes, passes its Markdown to the box around it.
 */
export type Box = PageBox | SpanBox | BlockBox | PreBox | ListBox | ItemBox | TableBox | RowBox | CellBox;

interface AnyBox {
  /** The element's name, which its end tag must match. */
  readonly name: string;
}

/** The whole document. */
export interface PageBox extends AnyBox {
  readonly kind: "page";
  readonly flow: MarkdownFlow;
}

/** Part of a line: bold, a link, code. */
interface SpanBox extends AnyBox {
  readonly kind: "span";
  readonly inline: InlineText;
  /** True in code, where no character is special. */
  readonly verbatim: boolean;
  readonly wrap: (markdown: string) => string;
}

/** A quote, a heading, a term, a caption. */
interface BlockBox extends AnyBox {
  readonly kind: "block";
  readonly flow: MarkdownFlow;
  /** Adds the finished Markdown to `around`, which collects blocks. */
  readonly end: (markdown: string, around: MarkdownFlow) => void;
}

export interface PreBox extends AnyBox {
  readonly kind: "pre";
  readonly pieces: string[];
  language: string;
}

interface ListBox extends AnyBox {
  readonly kind: "list";
  readonly items: string[];
  /** The next number; null in a list without numbers. */
  number: number | null;
}

export interface ItemBox extends AnyBox {
  readonly kind: "item";
  /** Content of a list outside its items: has no mark. */
  readonly isStray: boolean;
  readonly flow: MarkdownFlow;
}

export interface TableBox extends AnyBox {
  readonly kind: "table";
  readonly grid: TableGrid;
  inHead: boolean;
}

interface RowBox extends AnyBox {
  readonly kind: "row";
  readonly cells: TableCell[];
  columns: number;
}

export interface CellBox extends AnyBox {
  readonly kind: "cell";
  readonly flow: MarkdownFlow;
  readonly header: boolean;
  readonly columns: number;
  readonly rows: number;
  /** The cell is beyond the last shown column, and so is its content. */
  readonly hidden: boolean;
  holdsTable: boolean;
}
