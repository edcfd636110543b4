import type { InlineText, MarkdownFlow } from "./markdown-flow.ts";
import type { TableCell, TableGrid } from "./table-grid.ts";

/**
 * An open element that matters for the Markdown. Most elements (`div`, `span`, `p`) do not: they part text at most.
 * A box collects what is inside and, when it closes, hands its Markdown to the box around it.
 */
export type Box = PageBox | SpanBox | BlockBox | PreBox | ListBox | ItemBox | TableBox | RowBox | CellBox;

interface AnyBox {
  /** The element's name, which its end tag has to match. */
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
  /** True in code, where no character means anything. */
  readonly verbatim: boolean;
  readonly wrap: (markdown: string) => string;
}

/** A quote, a heading, a term, a caption. */
interface BlockBox extends AnyBox {
  readonly kind: "block";
  readonly flow: MarkdownFlow;
  /** Puts the finished Markdown where it belongs; `around` is where blocks go. */
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
  /** What stands in a list without being an item of it: it has no mark. */
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
  /** It is beyond the last column that is shown, and so is what it holds. */
  readonly hidden: boolean;
  holdsTable: boolean;
}
