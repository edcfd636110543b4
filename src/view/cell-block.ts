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
  /** Rows of code, and rows of output, that are shown when it is not expanded. */
  readonly previewLines: number;
  /** Which cell of a call it is, from 1; without it the call had only this one. */
  readonly number?: { readonly at: number; readonly of: number } | undefined;
}

/** A cell: how it is going, its code, and what came of it. */
export function renderCellBlock(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  return [
    headLine(cell, options),
    ...renderCode(cell.code, cell.language, options),
    ...renderCellOutput(cell, options),
  ];
}

/** What came of a cell; `(no output)` when that is nothing. */
function renderCellOutput(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  const shown = cellOutput(cell, options);
  return shown.length === 0 && cell.status === "complete" ? indented([options.theme.muted("(no output)")]) : shown;
}

/** Its output, displays, error and what else a person should know. */
function cellOutput(cell: CellDetails, options: CellBlockOptions): readonly string[] {
  const all = (options.expanded && cell.fullOutput) || null;
  return [
    ...renderOrderedOutput(cell, options, { whole: all }),
    ...cellNotices(all === null ? cell : { ...cell, truncation: null }, options),
  ];
}

/** What a person should know besides what was put out. */
export function cellNotices(cell: Omit<CellDetails, "status">, options: ViewOptions): readonly string[] {
  return [
    ...noticeLines(errorNotInOutput(cell), options, options.theme.error),
    ...truncationLines(cell.truncation, cell.fullOutputPath, options),
    ...noticeLines(cell.notices, options),
  ];
}

/** `✓ 1/2 load the data · [3] · 0.3 s`; of a title that is too long the end goes. */
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

/** In words, where the sign alone does not say it all. */
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
