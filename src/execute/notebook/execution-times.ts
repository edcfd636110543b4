import { createHash } from "node:crypto";
import type { Cell } from "../../notebook/cell.ts";
import { isJsonObject, type JsonObject } from "../../notebook/json/parse.ts";

/** When a cell began and ended, in milliseconds since the epoch. */
export interface CellTimes {
  readonly begun: number;
  readonly ended: number;
}

/** A cell's `metadata.execution`, with the names that JupyterLab uses, and a note of what was run. */
export function executionTimes({ begun, ended }: CellTimes, source: string): JsonObject {
  const from = new Date(begun).toISOString();
  const to = new Date(ended).toISOString();
  return {
    "granary.source": stamp(source, to),
    "iopub.execute_input": from,
    "iopub.status.busy": from,
    "iopub.status.idle": to,
    "shell.execute_reply": to,
    "shell.execute_reply.started": from,
  };
}

/** Whether a cell's source is still what was run; null when that is not known, because another program ran it. */
export function isAsItWasRun(cell: Cell): boolean | null {
  const { execution } = cell.metadata;
  if (!isJsonObject(execution)) return null;
  const { "granary.source": stamped, "shell.execute_reply": ended } = execution;
  // Others keep our note when they run the cell, and change the time: then the note is about another run.
  if (typeof stamped !== "string" || typeof ended !== "string" || !stamped.endsWith(ended)) return null;
  return stamped === stamp(cell.source, ended);
}

function stamp(source: string, ended: string): string {
  return `${createHash("sha256").update(source).digest("hex").slice(0, 16)} ${ended}`;
}
