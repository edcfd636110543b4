import type { TableContent } from "./data-table.ts";
import { cutTable } from "./long-table.ts";

/** Larger HTML goes to a frame. */
const longestHtml = 2_000_000;

/**
 * The one table of some HTML, such as that of a data frame, as text; null for other HTML. The document that reads it is
 * inert: no script of it runs, and nothing of it is loaded.
 */
export function tableIn(source: string): (TableContent & { readonly after: string }) | null {
  if (!/<table\b/i.test(source)) return null;
  const cut = cutTable(source);
  if (cut !== null) {
    const beginning = tableIn(cut.html);
    return beginning && { ...beginning, after: cut.note };
  }
  if (source.length > longestHtml) return null;
  const { body } = new DOMParser().parseFromString(withoutStyles(source), "text/html");
  const tables = body.querySelectorAll("table");
  const [table] = tables;
  if (tables.length !== 1 || table === undefined) return null;
  if (body.querySelector("script, iframe, svg, canvas, img, form, input, button, [onclick]") !== null) return null;
  if (table.querySelector("[rowspan]:not([rowspan='1']), tbody [colspan]:not([colspan='1'])") !== null) return null;
  for (const each of body.querySelectorAll("style, title")) each.remove();
  const heads = [...(table.tHead?.rows ?? [])];
  const bodies = [...table.tBodies].flatMap((part) => [...part.rows]);
  const rows = bodies.map((row) => [...row.cells].map(textIn));
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns = columnsOf(heads, width);
  const [first] = bodies;
  const indexColumns = first === undefined ? 0 : [...first.cells].findIndex((cell) => cell.tagName !== "TH");
  if (columns === null || rows.some(({ length }) => length !== width)) return null;
  table.remove();
  return { columns, rows, indexColumns: Math.max(0, indexColumns), after: (body.textContent ?? "").trim() };
}

/** The content policy of the page would report each of them. */
function withoutStyles(source: string): string {
  return source
    .replaceAll(/<style\b[\s\S]*?<\/style>/gi, "")
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/\sstyle=(?:"[^"]*"|'[^']*')/gi, ""));
}

/** Names of several lines are joined: those of the index stand below those of the columns. */
function columnsOf(heads: readonly HTMLTableRowElement[], width: number): readonly string[] | null {
  const names = heads.map((row) =>
    [...row.cells].flatMap((cell) => Array<string>(cell.colSpan || 1).fill(textIn(cell))),
  );
  if (names.some(({ length }) => length !== width)) return names.length === 0 ? Array<string>(width).fill("") : null;
  return Array.from({ length: width }, (_, column) =>
    names
      .map((row) => row[column] ?? "")
      .filter((name) => name !== "")
      .join(" · "),
  );
}

function textIn(cell: HTMLTableCellElement): string {
  return (cell.textContent ?? "").trim();
}
