import { sayException } from "../output/text/say-exception.ts";
import { checkList, checkTimeLimit } from "../support/check-argument.ts";
import { sayRange } from "../support/say-count.ts";
import { asCell } from "./cell/cell-queue.ts";
import type { Cell, Execution, ExecutionResult } from "./execution/execution.ts";
import type { RunOptions, Session } from "./session.ts";

export type CellProgress = "pending" | "running" | "complete" | "error" | "cancelled" | "skipped";

export interface CellToRun extends Cell {
  /** A fresh kernel first. */
  readonly reset?: boolean | undefined;
  /** Where this one runs, if not where the others do: in another language, for example. */
  readonly session?: Session | undefined;
}

export interface RunCellsOptions extends Omit<RunOptions, "onlyAfter" | "time"> {
  /** For all cells together; Infinity, the default, for none. */
  readonly timeoutMs?: number | undefined;
  /** A fresh kernel before the first. */
  readonly reset?: boolean | undefined;
  readonly onProgress?: ((index: number, progress: CellProgress, execution: Execution) => void) | undefined;
  /** @internal For each cell, in place of `timeoutMs`. */
  readonly cellTimeoutMs?: number | undefined;
  /** @internal Is awaited after each cell, and says whether the next one is wanted. Until then, that is not queued. */
  readonly wantsNext?: ((index: number, result: ExecutionResult) => Promise<boolean>) | undefined;
}

export interface CellsResult {
  /** Of all cells, unless the caller wanted no more of them. */
  readonly cells: readonly ExecutionResult[];
  /** The one that did not succeed, from 0; null when all did. */
  readonly failed: number | null;
  /** A sentence about that: `Cell 2 of 3 failed: …`, or `The cell failed: …` of a single one; null when all is well. */
  readonly message: string | null;
}

/**
 * Runs cells one after the other, up to the first that does not succeed; the effects of earlier ones stay. They are queued
 * together, so cells of other callers cannot come between them.
 *
 * @example
 * const { failed, message } = await runCells(session, [{ code: "x = 1" }, { code: "x / 0" }], { timeoutMs: 30_000 });
 */
export async function runCells(
  session: Pick<Session, "run" | "hold">,
  cells: readonly CellToRun[],
  options: RunCellsOptions = {},
): Promise<CellsResult> {
  checkList(cells, "cells", "cells");
  checkTimeLimit(options.timeoutMs);
  // All of them, before the first is queued.
  for (const cell of cells) asCell(cell);
  const {
    onProgress,
    wantsNext,
    cellTimeoutMs,
    timeoutMs = Number.POSITIVE_INFINITY,
    reset = false,
    ...others
  } = options;
  const shared =
    cellTimeoutMs === undefined
      ? { ...others, timeoutMs, time: { leftMs: timeoutMs } }
      : { ...others, timeoutMs: cellTimeoutMs };
  const executions: Execution[] = [];
  using _ = wantsNext && session.hold();
  for (const [index, cell] of cells.entries()) {
    const onlyAfter = executions.at(-1);
    const resetsFirst = cell.reset ?? (reset && index === 0);
    const place = cell.session ?? session;
    const execution = place.run(cell, { ...shared, onlyAfter, reset: resetsFirst });
    executions.push(execution);
    if (wantsNext !== undefined && !(await wantsNext(index, await execution.result))) break;
  }
  const results = await Promise.all(executions.map((execution, index) => follow(execution, index, onProgress)));
  const failed = results.findIndex(({ status }) => status !== "ok");
  return failed === -1
    ? { cells: results, failed: null, message: null }
    : { cells: results, failed, message: explain(results, failed, cells.length) };
}

async function follow(
  execution: Execution,
  index: number,
  onProgress: RunCellsOptions["onProgress"],
): Promise<ExecutionResult> {
  if (onProgress === undefined) return execution.result;
  onProgress(index, "pending", execution);
  let isTold = false;
  for await (const { event } of execution.events()) {
    // A cell that is tried again begins twice.
    if (event.type === "running" && !isTold) onProgress(index, "running", execution);
    isTold ||= event.type === "running";
  }
  const result = await execution.result;
  onProgress(index, progressOf(result), execution);
  return result;
}

function progressOf({ status }: ExecutionResult): CellProgress {
  switch (status) {
    case "ok":
      return "complete";
    case "timeout":
    case "cancelled":
      return "cancelled";
    case "skipped":
      return "skipped";
    case "error":
    case "failed":
      return "error";
  }
}

function explain(results: readonly ExecutionResult[], index: number, count: number): string {
  const result = results[index] as ExecutionResult;
  // After the last cell: a kernel for one call only has ended by now.
  const wasReplaced = results.slice(1).some(({ ledger }) => ledger.state === "restarted");
  const stateIsThere = !wasReplaced && results.every(({ ledger }) => ledger.state !== "lost");
  const earlier = index > 0 && stateIsThere ? " Variables from the cells before it are kept." : "";
  const later = index + 1 < count ? ` ${laterCells(index + 1, count)}` : "";
  const cell = count === 1 ? "The cell" : `Cell ${index + 1} of ${count}`;
  return `${cell} ${verb(result)}: ${reasonOf(result)}.${earlier}${later}`;
}

function verb({ status }: ExecutionResult): string {
  return status === "cancelled" ? "was stopped" : "failed";
}

function reasonOf({ status, error, failure }: ExecutionResult): string {
  if (failure !== null) return withoutPeriod(failure.message);
  if (status === "timeout") return "it ran out of time";
  if (status === "cancelled") return "it was interrupted";
  return error === null ? "it raised an exception" : withoutPeriod(sayException(error));
}

function laterCells(from: number, count: number): string {
  return count - from === 1 ? `Cell ${count} was not run.` : `Cells ${sayRange(from + 1, count)} were not run.`;
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
