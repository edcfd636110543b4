import { relative } from "node:path";
import type { CellReport, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { sanitize } from "../../../output/sanitize.ts";
import { sayCount } from "../../../output/say-size.ts";
import { saySeconds } from "./progress.ts";

/** A sentence about a run that went well. */
export function sayRan(run: NotebookRun, cwd: string): string {
  const ran = run.cells.filter(({ status }) => status !== "skipped");
  const raised = ran.filter(({ status }) => status === "error").length;
  const time = saySeconds(ran.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const errors = raised === 0 ? "" : `, ${raised} of them with an error that was allowed`;
  return `Ran ${sayCount(ran.length, "cell")} in ${time}${errors}.${saved(run, cwd)}${lost(run)}`;
}

/** What a person needs to know about a run that did not: where, what, and what was not done. */
export function sayFailed(run: NotebookRun, cwd: string, timeoutMs: number): string {
  const { failed } = run;
  const parts = failed === null ? [stopped(run)] : [headline(run, failed, timeoutMs), excerpt(failed.source)];
  if (failed?.error && run.status === "error") parts.push(sanitize(failed.error.traceback.join("\n")).trimEnd());
  const notRun = run.cells.filter(({ status, index }) => status === "not-run" && index !== failed?.index);
  if (notRun.length > 0) parts.push(`Not run: ${sayCells(notRun)}.`);
  const done = run.cells.some(({ stored }) => stored === "stored");
  if (done && run.savedTo !== null) parts.push(`What was put out so far is in ${relativeTo(cwd, run.savedTo)}.`);
  return parts.join("\n");
}

function headline({ status, failure }: NotebookRun, cell: CellReport, timeoutMs: number): string {
  const name = cell.id === null ? `Cell ${cell.index}` : `Cell ${cell.index} (${cell.id})`;
  if (cell.status === "not-run") return `${name} could not be run: ${failure?.message ?? "the run was stopped"}`;
  switch (status) {
    case "timeout":
      return `${name} timed out after ${timeoutMs / 1000} seconds.`;
    case "cancelled":
      return `${name} was interrupted.`;
    case "failed":
      return `${name} failed: ${failure?.message ?? "the kernel failed"}`;
    default:
      return `${name} failed: ${cell.error?.name}: ${cell.error?.message.split("\n", 1)[0]}`;
  }
}

function stopped({ status, failure }: NotebookRun): string {
  return status === "cancelled" ? "The run was stopped." : (failure?.message ?? "The run failed.");
}

const excerptLines = 5;

function excerpt(source: string): string {
  const lines = source.split("\n");
  const shown = lines.slice(0, excerptLines).map((line) => `  ${line}`.trimEnd());
  return [...shown, ...(lines.length > excerptLines ? ["  …"] : [])].join("\n");
}

/** `cells 3, 5 and 8`; only the first of many. */
function sayCells(cells: readonly CellReport[]): string {
  if (cells.length > 12) return `${sayCount(cells.length, "cell")}, from cell ${cells[0]?.index} on`;
  const indexes = cells.map(({ index }) => index);
  const last = indexes.pop();
  return indexes.length === 0 ? `cell ${last}` : `cells ${indexes.join(", ")} and ${last}`;
}

function saved({ savedTo }: NotebookRun, cwd: string): string {
  return savedTo === null ? "" : ` Saved ${relativeTo(cwd, savedTo)}.`;
}

function lost({ cells }: NotebookRun): string {
  const edited = cells.filter(({ stored }) => stored === "edited" || stored === "gone");
  if (edited.length === 0) return "";
  return ` Somebody changed ${sayCells(edited)} meanwhile, so what ${edited.length === 1 ? "it" : "they"} put out was not kept.`;
}

function relativeTo(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}
