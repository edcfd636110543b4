import type { CellReport, NotebookRun } from "../../execute/notebook/notebook-run.ts";
import { sayCount } from "../../support/say-count.ts";
import type { NotebookRunDetails } from "../../tools/definition/details.ts";
import { renderCode } from "../lines/code-lines.ts";
import { sayElapsed } from "../lines/elapsed.ts";
import { gutterWidth, indented } from "../lines/gutter.ts";
import { headWithFacts } from "../lines/head-line.ts";
import { noticeLines } from "../lines/notice-lines.ts";
import { renderOutput } from "../lines/output-lines.ts";
import { notebookPreviewLines, previewLines } from "../lines/preview-lines.ts";
import { statusMark } from "../lines/status-mark.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";
import { contentText, type ShownResult } from "./result.ts";

/** A notebook run: its progress or outcome, cell by cell. */
export function renderNotebookRun(
  details: NotebookRunDetails,
  result: ShownResult,
  options: ViewOptions,
): readonly string[] {
  const { run } = details;
  return run === null ? underWay(details, result, options) : over(run, details, options);
}

function underWay(details: NotebookRunDetails, result: ShownResult, options: ViewOptions): readonly string[] {
  const { path, progress } = details;
  const where = progress === null ? "" : `cell ${progress.cellIndex}, ${progress.number} of ${progress.of}`;
  return [
    headLine("running", path, ["running", where], options),
    ...renderOutput(contentText(result), { ...options, previewLines }),
  ];
}

function over(run: NotebookRun, { path }: NotebookRunDetails, options: ViewOptions): readonly string[] {
  const ran = run.cells.filter(({ status }) => status !== "skipped" && status !== "not-run");
  const notRun = run.cells.filter(({ status }) => status === "not-run").length;
  const took = ran.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const facts = [
    `${sayCount(ran.length, "cell")} run`,
    notRun === 0 ? "" : `${notRun} not run`,
    sayElapsed(took),
    run.savedTo === null || run.savedTo === path ? "" : `saved to ${run.savedTo}`,
  ];
  return [
    headLine(run.status, path, facts, options),
    ...(options.expanded ? indented(run.cells.map((cell) => cellLine(cell, options))) : []),
    ...(run.failed === null ? [] : failedCell(run.failed, options)),
    ...noticeLines(run.failure === null ? [] : [run.failure.message], options, options.theme.error),
    ...noticeLines(run.notices, options),
  ];
}

function headLine(
  status: NotebookRun["status"] | "running",
  path: string,
  facts: readonly string[],
  { width, theme }: ViewOptions,
): string {
  const told = facts.filter((fact) => fact !== "").map((fact) => theme.muted(oneLine(fact)));
  return headWithFacts(`${statusMark(status, theme)} `, path, told, { width, theme });
}

/** `✓ cell 3 [2] 0.4 s · df.head()` */
function cellLine(cell: CellReport, { width, theme }: ViewOptions): string {
  const { index, status, executionCount, durationMs, source, whySkipped } = cell;
  const count = executionCount === null ? "" : ` [${executionCount}]`;
  const took =
    status === "skipped" || status === "not-run" ? ` ${whySkipped ?? "not run"}` : ` ${sayElapsed(durationMs)}`;
  const code = theme.muted(` · ${oneLine(source.trim().split("\n", 1)[0] ?? "")}`);
  return clamp(`${statusMark(status, theme)} cell ${index}${count}${oneLine(took)}${code}`, width - gutterWidth);
}

function failedCell(cell: CellReport, options: ViewOptions): readonly string[] {
  const { error, index, status } = cell;
  const { theme } = options;
  const words = status === "timeout" ? "timed out" : status === "cancelled" ? "was stopped" : "failed";
  const message = error === null ? "" : `: ${error.name}${error.message === "" ? "" : `: ${error.message}`}`;
  return [
    ...noticeLines([`cell ${index} ${words}${message}`], options, theme.error),
    ...renderCode(cell.source, "python", { ...options, previewLines: notebookPreviewLines }),
  ];
}
