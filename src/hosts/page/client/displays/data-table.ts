import { useMemo, useState } from "preact/hooks";
import { html } from "../html.ts";
import { sortedRows } from "../text/sorted-rows.ts";

export interface TableContent {
  readonly columns: readonly string[];
  /** How many columns at the beginning are the index of the rows. */
  readonly indexColumns: number;
  readonly rows: readonly (readonly string[])[];
}

/** Rows that are drawn at first, and with each further step. */
const stepRows = 100;

/** A table that can be sorted by its columns. Long tables grow as they are read. */
export function DataTable({
  content,
  caption,
}: {
  readonly content: TableContent;
  readonly caption?: string | undefined;
}) {
  const { columns, indexColumns, rows } = content;
  const [order, setOrder] = useState<{ readonly column: number; readonly isDown: boolean } | null>(null);
  const [shown, setShown] = useState(stepRows);
  const sorted = useMemo(() => (order === null ? rows : sortedRows(rows, order.column, order.isDown)), [rows, order]);
  const sort = (column: number): void =>
    setOrder(order?.column !== column ? { column, isDown: false } : order.isDown ? null : { column, isDown: true });
  const direction = (column: number): string | undefined =>
    order?.column === column ? (order.isDown ? "descending" : "ascending") : undefined;
  return html`
    <div class="table-box" tabindex="0" role="region" aria-label=${caption ?? "Table"}>
      <table class="data">
        <thead><tr>${columns.map(
          (name, column) => html`
            <th scope="col" aria-sort=${direction(column)}>
              <button class="sort" onClick=${() => sort(column)}>${name === "" ? html`<span class="unseen">index</span>` : name}<span aria-hidden="true">${arrow(direction(column))}</span></button>
            </th>`,
        )}</tr></thead>
        <tbody>${sorted
          .slice(0, shown)
          .map(
            (row) =>
              html`<tr>${row.map((text, column) => (column < indexColumns ? html`<th scope="row">${text}</th>` : html`<td>${text}</td>`))}</tr>`,
          )}</tbody>
      </table>
      ${rows.length > shown && html`<button class="quiet more" onClick=${() => setShown(shown + 10 * stepRows)}>Show more of ${rows.length} rows</button>`}
    </div>`;
}

function arrow(direction: string | undefined): string {
  return direction === undefined ? "" : direction === "ascending" ? " ▲" : " ▼";
}
