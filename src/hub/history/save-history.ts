import type { NotebookCell } from "../../notebook/cell.ts";
import { withCellAt } from "../../notebook/edit/cell-list.ts";
import { editNotebook } from "../../notebook/edit/edit-notebook.ts";
import { withTags } from "../../notebook/edit/metadata.ts";
import { withOutputs } from "../../notebook/edit/write-outputs.ts";
import { saveNotebook } from "../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../notebook/new-notebook.ts";
import { sayCount } from "../../support/say-count.ts";
import type { HistoryCell } from "./history-cell.ts";

/** How many cells a saved notebook has, and how many are not in it. */
export interface SavedSession {
  readonly cells: number;
  readonly leftOut: number;
  /** Cells among them that an earlier Python ran; the others were undone. */
  readonly beforeRestart: number;
}

/**
 * Writes cells with their outputs as a notebook. Run from its top, it makes the variables that the session has: tags let a run
 * continue after cells that raised, and leave out those whose effects are gone.
 */
export async function saveCells(
  cells: readonly HistoryCell[],
  path: string,
  {
    overwrite,
    within,
    all,
  }: { readonly overwrite: boolean; readonly within?: readonly string[] | null; readonly all: boolean },
): Promise<SavedSession> {
  const saved = all ? cells : cells.filter(({ undone }) => undone === undefined);
  const edits = saved.map(({ code }) => ({ action: "insert" as const, content: code }));
  let { notebook } = editNotebook(newNotebook({ path }), edits);
  for (const [index, { outputs, executionCount }] of saved.entries()) {
    notebook = withOutputs(notebook, index, { outputs, executionCount });
  }
  for (const [index, cell] of saved.entries()) {
    const tagged = withTags(notebook, notebook.cells[index] as NotebookCell, { add: tagsOf(cell) });
    notebook = withCellAt(notebook, index, tagged);
  }
  await saveNotebook(notebook, { overwrite, within });
  const leftOut = all ? [] : cells.filter(({ undone }) => undone !== undefined);
  const beforeRestart = leftOut.filter(({ undone }) => undone === "restart");
  return { cells: saved.length, leftOut: leftOut.length, beforeRestart: beforeRestart.length };
}

/** Tags that runs of notebooks know, here and in nbclient; `undone` and `before-restart` are for readers. */
function tagsOf({ undone, status }: HistoryCell): readonly string[] {
  if (undone === "restart") return ["before-restart", "skip-execution"];
  if (undone !== undefined) return ["undone", "skip-execution"];
  return status === "error" ? ["raises-exception"] : [];
}

/** `Saved 3 cells to a.ipynb. It leaves out 2 cells that were undone and 1 cell from before a restart; --all keeps them.` */
export function saySaved(
  { cells, leftOut, beforeRestart }: SavedSession,
  path: string,
  { all = "", of = "" } = {},
): string {
  const undone = leftOut - beforeRestart;
  const reasons = [
    ...(undone > 0 ? [`${sayCount(undone, "cell")} that ${undone === 1 ? "was" : "were"} undone`] : []),
    ...(beforeRestart > 0 ? [`${sayCount(beforeRestart, "cell")} from before a restart`] : []),
  ];
  const remedy = all === "" ? "" : `; ${all} keeps ${leftOut === 1 ? "it" : "them"}`;
  const without = leftOut === 0 ? "" : ` It leaves out ${reasons.join(" and ")}${remedy}.`;
  return `Saved ${cells === 0 ? "no cells" : sayCount(cells, "cell")}${of} to ${path}.${without}`;
}
