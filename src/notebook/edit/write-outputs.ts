import { GranaryError } from "../../support/granary-error.ts";
import { isSameValue } from "../../support/json/same-value.ts";
import type { NotebookCell } from "../cell.ts";
import type { Notebook } from "../notebook.ts";
import { asOutput, type NotebookOutput, storedOutput } from "../output.ts";
import { type CellAddress, indexOfCell } from "./address.ts";
import { withCellAt } from "./cell-list.ts";
import { withValue } from "./change-cell.ts";
import { type MetadataPatch, withCellMetadata } from "./metadata.ts";

export interface CellRun {
  readonly outputs: readonly NotebookOutput[];
  readonly executionCount: number | null;
  /** Changed members of the cell's metadata, such as `execution` with its times. */
  readonly metadata?: MetadataPatch;
}

/** The notebook with the results of a code cell's run. Outputs that are the same as before keep their bytes. */
export function withOutputs(notebook: Notebook, address: CellAddress, run: CellRun): Notebook {
  const index = indexOfCell(notebook, address);
  let cell = notebook.cells[index] as NotebookCell;
  if (cell.type !== "code") {
    throw new GranaryError("not-a-code-cell", `Cell ${index} is a ${cell.type} cell, and only code has outputs.`, {
      details: { cellIndex: index },
    });
  }
  if (!cell.json.has("outputs") || outputsDiffer(cell, run.outputs)) {
    cell = withValue(notebook, cell, "outputs", run.outputs.map(storedOutput));
  }
  cell = withValue(notebook, cell, "execution_count", run.executionCount);
  if (run.metadata !== undefined) cell = withCellMetadata(notebook, cell, run.metadata);
  return withCellAt(notebook, index, cell);
}

/** Whether a cell's outputs differ from these; the split into lines does not count. */
export function outputsDiffer(cell: NotebookCell, outputs: readonly NotebookOutput[]): boolean {
  if (!cell.hasOutputs) return outputs.length > 0;
  const old = cell.outputs.map(asOutput);
  if (old.length !== outputs.length) return true;
  return old.some(
    (output, index) =>
      output === null || !isSameValue(storedOutput(output), storedOutput(outputs[index] as NotebookOutput)),
  );
}
