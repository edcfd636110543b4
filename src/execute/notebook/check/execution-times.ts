import { createHash } from "node:crypto";
import type { NotebookCell } from "../../../notebook/cell.ts";
import { isJsonObject } from "../../../support/json/parse.ts";
import type { JsonObject } from "../../../support/json/value.ts";

/** When a cell began and ended, in milliseconds since the epoch. */
export interface CellTimes {
  readonly begun: number;
  readonly ended: number;
}

/** The position of a run in a kernel's life. */
export interface RunNote {
  /** The same for all cells of one kernel, and for no others. */
  readonly kernel: string;
  /** The number that the kernel gave the cell. */
  readonly count: number;
  /** The number of the last cell above that ran before it in the same kernel; null when none did. */
  readonly before: number | null;
}

/** A cell's `metadata.execution`, with the names of JupyterLab, and notes of which code ran, and after which cell. */
export function executionTimes({ begun, ended }: CellTimes, source: string, note: RunNote | null = null): JsonObject {
  const from = new Date(begun).toISOString();
  const to = new Date(ended).toISOString();
  return {
    ...(note !== null && { "granary.run": `${note.kernel} ${note.count} ${note.before ?? "-"}` }),
    "granary.source": stamp(source, to),
    "iopub.execute_input": from,
    "iopub.status.busy": from,
    "iopub.status.idle": to,
    "shell.execute_reply": to,
    "shell.execute_reply.started": from,
  };
}

/** Whether a cell's source is still the code that ran; null when unknown, because another program ran it. */
export function isAsItWasRun(cell: NotebookCell): boolean | null {
  const { execution } = cell.metadata;
  return isJsonObject(execution) && !isOfAnotherRun(cell, execution) ? isAsNoted(cell.source, execution) : null;
}

function isAsNoted(source: string, execution: JsonObject): boolean | null {
  const { "granary.source": stamped, "shell.execute_reply": ended } = execution;
  // Other programs keep our note when they run the cell, and change the time: then the note is about an earlier run.
  if (typeof stamped !== "string" || typeof ended !== "string" || !stamped.endsWith(ended)) return null;
  return stamped === stamp(source, ended);
}

/** Null when Granary did not run the cell, or another program has run it since. */
export function runNote(cell: NotebookCell): RunNote | null {
  return isAsItWasRun(cell) === null ? null : noteIn(cell.metadata.execution);
}

/** The note on a cell that is no longer code, or has to be skipped. */
export function formerNote(cell: NotebookCell): RunNote | null {
  return cell.type === "code" ? runNote(cell) : noteIn(cell.metadata.execution);
}

/** For a cell that Granary has run, and that was cleared since; null for all others. */
export function clearedRun(cell: NotebookCell): ClearedRun | null {
  const { execution } = cell.metadata;
  if (cell.executionCount !== null || cell.hasOutputs || !isJsonObject(execution)) return null;
  const [note, isAsRun] = [noteIn(execution), isAsNoted(cell.source, execution)];
  return note === null || isAsRun === null ? null : { note, isAsRun, times: timesIn(execution) };
}

interface ClearedRun {
  readonly note: RunNote;
  readonly isAsRun: boolean;
  readonly times: CellTimes | null;
}

/** The times of the last run, by any program; null without a note. */
export function timesOf(cell: NotebookCell): CellTimes | null {
  const { execution } = cell.metadata;
  return isJsonObject(execution) && !isOfAnotherRun(cell, execution) ? timesIn(execution) : null;
}

function timesIn(execution: JsonObject): CellTimes | null {
  const at = (...names: readonly string[]) => {
    const text = names.map((name) => execution[name]).find((value) => typeof value === "string");
    return text === undefined ? Number.NaN : Date.parse(String(text));
  };
  const begun = at("shell.execute_reply.started", "iopub.execute_input", "iopub.status.busy");
  const ended = at("shell.execute_reply", "iopub.status.idle");
  return Number.isNaN(begun) || Number.isNaN(ended) ? null : { begun, ended };
}

/** A program that writes no times keeps ours when it runs the cell, but changes the number. */
function isOfAnotherRun(cell: NotebookCell, execution: JsonObject): boolean {
  const note = noteIn(execution);
  return note !== null && cell.type === "code" && note.count !== cell.executionCount;
}

function noteIn(execution: unknown): RunNote | null {
  const text = isJsonObject(execution as JsonObject) ? (execution as JsonObject)["granary.run"] : undefined;
  const [, kernel, count, before] = /^(\S+) (\d+) (\d+|-)$/.exec(typeof text === "string" ? text : "") ?? [];
  if (kernel === undefined || count === undefined) return null;
  return { kernel, count: Number(count), before: before === "-" ? null : Number(before) };
}

function stamp(source: string, ended: string): string {
  return `${createHash("sha256").update(source).digest("hex").slice(0, 16)} ${ended}`;
}
