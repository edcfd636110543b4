import { editNotebook } from "../../notebook/edit/edit-notebook.ts";
import { withOutputs } from "../../notebook/edit/write-outputs.ts";
import { saveNotebook } from "../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../notebook/new-notebook.ts";
import { findHistory } from "./find-history.ts";
import type { HistoryCell } from "./history-cell.ts";

/** Writes the history of a session as a notebook, and returns the number of its cells. */
export async function saveSession(
  wish: { readonly name: string; readonly folder: string },
  path: string,
  { home, overwrite }: { readonly home: string; readonly overwrite: boolean },
): Promise<number> {
  const { cells } = await findHistory(home, wish);
  await saveCells(cells, path, { overwrite });
  return cells.length;
}

/** Writes cells with their outputs as a notebook. */
export async function saveCells(
  cells: readonly HistoryCell[],
  path: string,
  { overwrite, within }: { readonly overwrite: boolean; readonly within?: readonly string[] },
): Promise<void> {
  const edits = cells.map(({ code }) => ({ action: "insert" as const, content: code }));
  let { notebook } = editNotebook(newNotebook({ path }), edits);
  for (const [index, { outputs, executionCount }] of cells.entries()) {
    notebook = withOutputs(notebook, index, { outputs, executionCount });
  }
  await saveNotebook(notebook, { overwrite, within });
}
