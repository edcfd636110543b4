import { memo } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import type { TableRows } from "../../api/variables.ts";
import { html } from "../html.ts";
import type { OpenSession } from "../state/open-session.ts";

/** Rows of one request. */
const stepRows = 100;

interface ViewerProps {
  readonly session: OpenSession;
  readonly name: string;
  /** Changes when the variable may have changed; null while a cell runs, when Python cannot answer. */
  readonly version: string | null;
}

/** The rows of a variable. Python sorts them, and sends as many as are read. */
export function TableViewer({ session, name, version }: ViewerProps) {
  const [order, setOrder] = useState<{ readonly column: number; readonly isDescending: boolean } | null>(null);
  const [table, setTable] = useState<TableRows | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = async (start: number, before: TableRows | null): Promise<void> => {
    try {
      const next = await session.post<TableRows>("rows", { name, start, count: stepRows, ...order });
      const joined =
        before === null
          ? next
          : { ...next, index: [...before.index, ...next.index], rows: [...before.rows, ...next.rows] };
      setTable(joined);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => {
    if (version !== null) void load(0, null);
  }, [name, version, order]);
  if (table === null) {
    const why = version === null ? "The rows appear when the running cell has ended." : "Loading…";
    return html`<p class="hint" role="status">${problem ?? why}</p>`;
  }
  const { columns, types, index, rows, total, totalColumns } = table;
  const sort = (column: number): void =>
    setOrder(
      order?.column !== column
        ? { column, isDescending: false }
        : order.isDescending
          ? null
          : { column, isDescending: true },
    );
  const direction = (column: number): string | undefined =>
    order?.column === column ? (order.isDescending ? "descending" : "ascending") : undefined;
  return html`
    <p class="dim">${total.toLocaleString("en")} rows × ${totalColumns} columns</p>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="table-box" tabindex="0" role="region" aria-label=${`Rows of ${name}`}>
      <table class="data">
        <thead><tr><th scope="col"><span class="corner">index</span></th>${columns.map(
          (column, at) => html`
            <th scope="col" aria-sort=${direction(at)} title=${types[at]}>
              <button class="sort" onClick=${() => sort(at)}>${column}${direction(at) === undefined ? "" : html`<span aria-hidden="true">${direction(at) === "ascending" ? " ▲" : " ▼"}</span>`}</button>
            </th>`,
        )}</tr></thead>
        <tbody>${rows.map((row, at) => html`<${Row} key=${at} label=${index[at]} row=${row} />`)}</tbody>
      </table>
      ${rows.length < total && html`<button class="quiet more" onClick=${() => load(rows.length, table)}>Show more of ${total.toLocaleString("en")} rows</button>`}
    </div>`;
}

/** Rows that are there stay as they are when more come. */
const Row = memo(
  ({ label, row }: { readonly label: string; readonly row: readonly string[] }) =>
    html`<tr><th scope="row">${label}</th>${row.map((text) => html`<td>${text}</td>`)}</tr>`,
);
