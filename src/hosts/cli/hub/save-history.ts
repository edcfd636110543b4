import { editNotebook } from "../../../notebook/edit/edit-notebook.ts";
import { withOutputs } from "../../../notebook/edit/write-outputs.ts";
import { saveNotebook } from "../../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../../notebook/new-notebook.ts";
import { findHistory } from "./find-history.ts";

/** Writes the history of a session as a notebook, and returns the number of its cells. */
export async function saveSession(
  wish: { readonly name: string; readonly folder: string },
  path: string,
  { home, overwrite }: { readonly home: string; readonly overwrite: boolean },
): Promise<number> {
  const { cells } = await findHistory(home, wish);
  const edits = cells.map(({ code }) => ({ action: "insert" as const, content: code }));
  let { notebook } = editNotebook(newNotebook({ path }), edits);
  for (const [index, { outputs, executionCount }] of cells.entries()) {
    notebook = withOutputs(notebook, index, { outputs, executionCount });
  }
  await saveNotebook(notebook, { overwrite });
  return cells.length;
}
