import { sayCount } from "../../support/say-count.ts";

export interface TableLimits {
  /** Of the body. */
  readonly rows: number;
  readonly columns: number;
  readonly cellCharacters: number;
}

export interface TableCell {
  /** May be several lines, and blocks. */
  readonly markdown: string;
  readonly header: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly holdsTable: boolean;
}

const mostHeaderRows = 8;

/** Converts rows of cells, which may span others, to a Markdown table, where each cell has its own place. */
export class TableGrid {
  readonly #limits: TableLimits;
  readonly #header: string[][] = [];
  readonly #body: string[][] = [];
  readonly #contents: string[] = [];
  /** By column: the cell above that extends into this row, and for how many rows. */
  readonly #hanging: ({ readonly text: string; rows: number } | undefined)[] = [];
  #columns = 0;
  #rowsLeftOut = 0;
  #isLayout = false;
  caption = "";

  constructor(limits: TableLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#body.length >= this.#limits.rows;
  }

  get isComplete(): boolean {
    return this.#rowsLeftOut === 0 && this.#columns <= this.#limits.columns;
  }

  leaveOut(rows: number): void {
    this.#rowsLeftOut += rows;
  }

  addRow(cells: readonly TableCell[], inHead: boolean): void {
    if (cells.length === 0) return;
    const isHeader = this.#isHeader(cells, inHead);
    (isHeader ? this.#header : this.#body).push(this.#placed(cells, isHeader));
    this.#contents.push(...cells.map((cell) => cell.markdown));
    this.#isLayout ||= cells.some((cell) => cell.holdsTable);
  }

  /** A table around tables is only layout: writes the content of its cells one below the other. */
  markdown(): string {
    const blocks = this.#isLayout ? this.#contents : [this.#rows()];
    return [this.caption, ...blocks, this.#note()].filter((block) => block !== "").join("\n\n");
  }

  #isHeader(cells: readonly TableCell[], inHead: boolean): boolean {
    if (this.#body.length > 0 || this.#header.length >= mostHeaderRows) return false;
    return inHead || (this.#header.length === 0 && cells.every((cell) => cell.header));
  }

  /** Repeats a cell that spans rows in each of them, so that every row is readable alone. */
  #placed(cells: readonly TableCell[], isHeader: boolean): string[] {
    const row: string[] = [];
    const take = (column: number) => {
      const hanging = this.#hanging[column];
      if (hanging === undefined) return false;
      row[column] = hanging.text;
      if (--hanging.rows === 0) this.#hanging[column] = undefined;
      return true;
    };
    let column = 0;
    for (const cell of cells) {
      while (take(column)) column++;
      const text = this.#fitted(cell.markdown);
      for (const end = column + cell.columns; column < end; column++) {
        if (column >= this.#limits.columns) continue;
        const isFirst = column === end - cell.columns;
        row[column] = isHeader || isFirst ? text : "";
        if (cell.rows > 1) this.#hanging[column] = { text: isHeader ? "" : text, rows: cell.rows - 1 };
      }
    }
    while (take(column)) column++;
    this.#columns = Math.max(this.#columns, column);
    return row;
  }

  #fitted(markdown: string): string {
    const text = markdown.replace(/\n+/g, "<br>");
    const most = this.#limits.cellCharacters;
    const shown = text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
    return shown.replaceAll("|", "\\|");
  }

  #rows(): string {
    const width = Math.min(this.#columns, this.#limits.columns);
    if (width === 0) return "";
    const line = (cells: readonly string[]) =>
      `| ${Array.from({ length: width }, (_, column) => cells[column] ?? "").join(" | ")} |`;
    const header = Array.from({ length: width }, (_, column) => this.#heading(column));
    return [line(header), line(header.map(() => "---")), ...this.#body.map(line)].join("\n");
  }

  /** Several rows of headings become one: `price / mean`. */
  #heading(column: number): string {
    return this.#header
      .map((row) => row[column] ?? "")
      .filter((text) => text !== "")
      .join(" / ");
  }

  #note(): string {
    const total = this.#body.length + this.#rowsLeftOut;
    const rows = this.#rowsLeftOut > 0 ? `${this.#body.length} of ${sayCount(total, "row")}` : "";
    const columns =
      this.#columns > this.#limits.columns ? `${this.#limits.columns} of ${sayCount(this.#columns, "column")}` : "";
    const shown = [rows, columns].filter((part) => part !== "").join(" and ");
    return shown === "" ? "" : `(showing ${shown})`;
  }
}
