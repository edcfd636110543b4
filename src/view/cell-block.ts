import type { CellDetails } from "../tools/definition/details.ts";
import { renderCode } from "./lines/code-lines.ts";
import { sayElapsed } from "./lines/elapsed.ts";
import { indented } from "./lines/gutter.ts";
import { headWithFacts } from "./lines/head-line.ts";
import { noticeLines, truncationLines } from "./lines/notice-lines.ts";
import { statusMark, statusStyle } from "./lines/status-mark.ts";
import { renderOrderedOutput } from "./output/ordered-output.ts";
import { oneLine } from "./text/printable.ts";
import type { ViewOptions } from "./view-options.ts";

export interface CellBlockOptions extends ViewOptions {
  /** Rows of code and of output in the preview. */
  readonly previewLines: number;
  /** The number of the cell in its call, from 1; undefined for a call with one cell. */
  readonly number?: { readonly at: number; readonly of: number } | undefined;
}

/** A cell: its status, code and results. */
export function renderCellBlock(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  return [
    headLine(cell, options),
    ...renderCode(cell.code, cell.language, options),
    ...renderCellOutput(cell, options),
  ];
}

/** The results of a cell; `(no output)` when there are none. */
function renderCellOutput(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  const shown = cellOutput(cell, options);
  return shown.length === 0 && cell.status === "complete" ? indented([options.theme.muted("(no output)")]) : shown;
}

/** Its output, displays, error and notices. */
function cellOutput(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  const all = (options.expanded && cell.fullOutput) || null;
  return [
    ...renderOrderedOutput(cell, options, { whole: all }),
    ...cellNotices(all === null ? cell : { ...cell, truncation: null }, options),
  ];
}

/** Notices besides the output. */
export function cellNotices(cell: Omit<CellDetails, "status">, options: ViewOptions): readonly string[] {
  return [
    ...noticeLines(errorNotInOutput(cell), options, options.theme.error),
    ...truncationLines(cell.truncation, cell.fullOutputPath, options),
    ...noticeLines(cell.notices, options),
  ];
}

/** `✓ 1/2 load the data · [3] · 0.3 s`; a title that is too long loses its end. */
function headLine(cell: CellDetails, { width, theme, now, number }: CellBlockOptions): string {
  const status = sayStatus(cell, now);
  const facts = [
    status === "" ? [] : statusStyle(cell.status, theme)(status),
    cell.executionCount === null ? [] : theme.muted(`[${cell.executionCount}]`),
    cell.durationMs === null ? [] : theme.muted(sayElapsed(cell.durationMs)),
  ].flat();
  const place = number === undefined ? "" : theme.muted(`${number.at}/${number.of} `);
  return headWithFacts(`${statusMark(cell.status, theme)} ${place}`, cell.title ?? cell.language, facts, {
    width,
    theme,
  });
}

/** The status in words, where the sign alone is not clear. */
function sayStatus({ status, startedAt, error }: CellDetails, now: number | undefined): string {
  switch (status) {
    case "complete":
      return "";
    case "running":
      return now === undefined || startedAt === null ? "running" : `running ${sayElapsed(now - startedAt)}`;
    case "error":
      return error === null ? "failed" : oneLine(error.name);
    case "skipped":
      return "not run";
    default:
      return status;
  }
}

/** The traceback is part of the output, unless the error is not Python's, or it was left out. */
function errorNotInOutput({ error, places = [] }: Pick<CellDetails, "error" | "places">): readonly string[] {
  if (error === null || places.some(({ raised, shown }) => raised === error.name && shown.end > shown.start)) return [];
  return [error.message === "" ? error.name : `${error.name}: ${error.message}`];
}
