import { relative } from "node:path";
import { sanitize } from "../../output/text/sanitize.ts";
import { sayException } from "../../output/text/say-exception.ts";
import { sayCount, sayTimeLimit } from "../../support/say-count.ts";
import type { NotebookOutcome } from "../run-each-notebook.ts";
import type { CellReport, NotebookRun } from "./notebook-run.ts";
import { notAskedFor } from "./plan-cells.ts";
import { withIndexes } from "./traceback-indexes.ts";

/** A sentence about a successful run. */
export function sayRan(run: NotebookRun, cwd: string): string {
  const ran = run.cells.filter(({ status }) => status !== "skipped" && status !== "not-run");
  if (ran.length === 0) return `No cell was run.${leftOut(run)}${saved(run, cwd)}`;
  const raised = ran.filter(({ status }) => status === "error").length;
  const time = saySeconds(ran.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const errors = raised === 0 ? "" : `, ${raised} of them with an error that was allowed`;
  return `Ran ${sayCount(ran.length, "cell")} in ${time}${errors}.${left(run)}${saved(run, cwd)}${lost(run)}`;
}

function left({ exited, cells }: NotebookRun): string {
  if (exited === null) return "";
  const notRun = cells.filter(({ status }) => status === "not-run");
  const after = notRun.length === 0 ? "" : `, so ${sayCells(notRun)} ${notRun.length === 1 ? "was" : "were"} not run`;
  return ` Cell ${exited.index} ended the notebook with sys.exit()${after}.`;
}

/** Skipped cells that the user may have wanted, a sentence for each reason. */
function leftOut({ cells }: NotebookRun): string {
  const skipped = cells.filter(({ whySkipped }) => whySkipped !== null && whySkipped !== notAskedFor);
  const reasons = [...new Set(skipped.map(({ whySkipped }) => whySkipped ?? ""))];
  return reasons.map((reason) => saySkipped(skipped, reason)).join("");
}

function saySkipped(skipped: readonly CellReport[], reason: string): string {
  const those = skipped.filter(({ whySkipped }) => whySkipped === reason);
  const [first] = those;
  if (those.length === 1) return ` Cell ${first?.index} was left out: ${reason}.`;
  const why = reason
    .replace(/^it has/, "they have")
    .replace(/^it is/, "they are")
    .replace(/^it asks/, "they ask");
  return ` Left out: ${sayCells(those)}; ${why}.`;
}

/** Sentences about a run that failed: which cell, why, and which cells did not run. */
export function sayFailed(run: NotebookRun, cwd: string, timeoutMs: number): string {
  const { failed } = run;
  const parts = failed === null ? [stopped(run)] : [headline(run, failed, timeoutMs), excerpt(failed.source)];
  const traceback = run.status === "error" ? sanitize(failed?.error?.traceback.join("\n") ?? "").trimEnd() : "";
  if (traceback !== "") parts.push(withIndexes(traceback, run));
  const notRun = run.cells.filter(({ status, index }) => status === "not-run" && index !== failed?.index);
  if (notRun.length > 0) parts.push(`Not run: ${sayCells(notRun)}.`);
  const unsaved = run.cells.filter(({ stored }) => stored === "unsaved");
  if (unsaved.length > 0) parts.push(`Not saved: the outputs of ${sayCells(unsaved)}.${whyUnsaved(run)}`);
  const done = run.cells.some(({ stored }) => stored === "stored");
  if (done && run.savedTo !== null)
    parts.push(`${unsaved.length > 0 ? "Earlier outputs" : "Outputs so far"} are in ${relativeTo(cwd, run.savedTo)}.`);
  return parts.join("\n");
}

/** A line for each of several notebooks, and how many succeeded. */
export function sayOutcomes(outcomes: readonly NotebookOutcome[]): string {
  const width = Math.max(...outcomes.map(({ path }) => path.length));
  const lines = outcomes.map((outcome) => {
    const { path, status, durationMs } = outcome;
    return `${status.padEnd(9)}  ${path.padEnd(width)}  ${saySeconds(durationMs).padStart(8)}  ${sayHow(outcome)}`;
  });
  const good = outcomes.filter(({ status }) => status === "ok").length;
  return [...lines, `${good} of ${sayCount(outcomes.length, "notebook")} succeeded.`].join("\n");
}

function sayHow({ status, run, failure }: NotebookOutcome): string {
  if (run === null) return sanitize(failure?.message ?? "not begun").split("\n", 1)[0] ?? "";
  const ran = run.cells.filter((cell) => cell.status !== "skipped" && cell.status !== "not-run").length;
  if (status === "ok" || run.failed === null) return sayCount(ran, "cell");
  const { index, error } = run.failed;
  return `cell ${index}${error === null ? "" : `: ${sayException(error)}`}`;
}

/** The old and the new output of a cell. */
export function sayChanged({ index, id, difference }: CellReport): string {
  const line = (text: string | null) => (text === null ? "nothing" : JSON.stringify(text.slice(0, 200)));
  const name = id === null ? `Cell ${index}` : `Cell ${index} (${id})`;
  return `${name} shows something else:\n  was ${line(difference?.was ?? null)}\n  is  ${line(difference?.is ?? null)}`;
}

/** A sentence about a run that compared outputs. */
export function sayVerified({ cells }: NotebookRun): string {
  const changed = cells.filter(({ outputsChanged }) => outputsChanged).length;
  const count = cells.filter(({ outputsChanged }) => outputsChanged !== null).length;
  const ran = sayCount(count, "cell");
  const show = (shown: number) => (shown === 1 ? "shows" : "show");
  return changed === 0
    ? `${ran} ran and ${show(count)} what the notebook shows.`
    : `${changed} of ${ran} ${show(changed)} something else.`;
}

function headline({ status, failure }: NotebookRun, cell: CellReport, timeoutMs: number): string {
  const name = cell.id === null ? `Cell ${cell.index}` : `Cell ${cell.index} (${cell.id})`;
  if (cell.status === "not-run") return `${name} could not be run: ${failure?.message ?? "the run was stopped"}`;
  switch (status) {
    case "timeout":
      return `${name} timed out after ${sayTimeLimit(timeoutMs)}.`;
    case "cancelled":
      return `${name} was interrupted.`;
    case "failed":
      return `${name} failed: ${failure?.message ?? "the kernel failed"}`;
    default:
      return `${name} failed: ${cell.error === null ? "it raised an exception" : sayException(cell.error)}`;
  }
}

/** Unless it was already reported as the end of the run. */
function whyUnsaved({ status, failure }: NotebookRun): string {
  return status === "failed" || failure === null ? "" : ` ${failure.message}`;
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
  return ` Another program changed ${sayCells(edited)} during the run, so ${edited.length === 1 ? "its" : "their"} outputs were not kept.`;
}

function relativeTo(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}

export function saySeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
