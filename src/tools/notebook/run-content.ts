import type { CellReport, NotebookRun } from "../../execute/notebook/notebook-run.ts";
import { saySeconds } from "../../execute/notebook/run-summary.ts";
import { withIndexes } from "../../execute/notebook/traceback-indexes.ts";
import type { NotebookCell } from "../../notebook/cell.ts";
import { readNotebook } from "../../notebook/file/read-notebook.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Capture } from "../../output/capture.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { takeOutputs } from "./shown-outputs.ts";

/** The outputs of a run's cells in order, each after a line with the cell's outcome. */
export async function takeRun(run: NotebookRun, capture: Capture, within: readonly string[] | null): Promise<void> {
  const { cells, savedTo, failed } = run;
  const notebook = savedTo === null ? null : await readNotebook(savedTo, { within }).catch(() => null);
  for (const report of cells) {
    if (report.status === "skipped" || report.status === "not-run") continue;
    await capture.note(headingOf(report));
    const cell = notebook === null ? undefined : cellOf(notebook, report);
    if (cell === undefined) continue;
    const news = cell.outputs.filter(isNews(report === failed));
    await takeOutputs(
      news.map((output) => withNamedCells(output, run)),
      capture,
    );
  }
}

function headingOf({ index, status, durationMs, error }: CellReport): string {
  const what = status === "error" && error !== null ? `${error.name}` : status;
  return `[cell ${index}: ${what}, ${saySeconds(durationMs)}]`;
}

/** Another program may have moved it. */
function cellOf({ cells }: Notebook, { index, id, stored }: CellReport): NotebookCell | undefined {
  if (stored !== "stored") return undefined;
  return id === null ? cells[index] : cells.find((cell) => cell.id === id);
}

function withNamedCells(output: JsonObject, run: NotebookRun): JsonObject {
  if (output.output_type !== "error" || !Array.isArray(output.traceback)) return output;
  return { ...output, traceback: output.traceback.map((line) => withIndexes(String(line), run)) };
}

/** The error that ended the run has been reported by then. */
function isNews(isFailed: boolean): (output: { readonly output_type?: unknown }) => boolean {
  return (output) => !isFailed || output.output_type !== "error";
}
