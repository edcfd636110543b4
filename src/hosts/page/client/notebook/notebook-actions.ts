import type { AfterRun } from "../editor/code-editor.ts";
import type { CellConflict, CellDrafts } from "./drafts.ts";
import type { ShownCell, ShownNotebook } from "./shown-notebook.ts";

/** An open notebook with the reader's edits. */
export interface NotebookAtHand {
  readonly notebook: ShownNotebook;
  readonly drafts: CellDrafts;
}

/** Saves the reader's text and runs the cell; text in two versions runs in the reader's own. */
export function runShownCell({ notebook, drafts }: NotebookAtHand, cell: ShownCell): Promise<void> {
  return notebook.inOrder(async () => {
    const key = await drafts.finish(cell.key);
    if (key !== null && cell.facts.value.type === "code") await notebook.run({ cells: [key] });
  });
}

/** Runs the cell, then moves as other notebook editors do. After the last cell comes a new one. */
export function runAndGo(open: NotebookAtHand, cell: ShownCell, then: AfterRun): void {
  void runShownCell(open, cell);
  if (then === "stay") focusCell(cell.key);
  else if (then === "insert" || !focusBeside(open, cell, 1)) void insertCell(open, cell.key);
}

export function focusBeside({ notebook }: NotebookAtHand, cell: ShownCell, by: 1 | -1): boolean {
  const cells = notebook.cells.peek() ?? [];
  const beside = cells[cells.findIndex(({ key }) => key === cell.key) + by];
  return beside !== undefined && focusCell(beside.key);
}

export function focusCell(key: string): boolean {
  const place = document.getElementById(`notebook-${key}`);
  place?.focus();
  return place !== null;
}

export function runAll({ notebook, drafts }: NotebookAtHand, from?: ShownCell): Promise<void> {
  return notebook.inOrder(async () => {
    await drafts.finishAll();
    await notebook.run(from === undefined ? {} : { from: from.key });
  });
}

/** Inserts an empty cell and opens its editor. */
export async function insertCell({ notebook, drafts }: NotebookAtHand, after: string | null): Promise<void> {
  const done = await notebook.attempt({ action: "insert", after, content: "", cellType: "code" });
  if (done?.cell == null) return;
  const { cell: key } = done;
  await cellShown(notebook, key);
  const cell = notebook.cell(key);
  if (cell !== undefined) drafts.begin(cell);
}

/** The change comes as an event, which may be later than the answer. */
async function cellShown(notebook: ShownNotebook, key: string): Promise<void> {
  for (let look = 0; look < 100 && notebook.cell(key) === undefined; look++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function moveCell({ notebook }: NotebookAtHand, cell: ShownCell, by: 1 | -1): Promise<void> {
  const keys = (notebook.cells.value ?? []).map(({ key }) => key);
  const index = keys.indexOf(cell.key);
  if (index + by < 0 || index + by >= keys.length) return;
  const after = by === 1 ? keys[index + 1] : keys[index - 2];
  await notebook.attempt({ action: "move", cell: cell.key, after: after ?? null });
}

export async function changeType(
  { notebook, drafts }: NotebookAtHand,
  cell: ShownCell,
  cellType: "code" | "markdown" | "raw",
): Promise<void> {
  if ((await drafts.finish(cell.key)) !== cell.key) return;
  const { revision } = cell.facts.value;
  await notebook.attempt({ action: "type", cell: cell.key, revision, cellType });
}

/** One of two versions becomes the cell. The other can come back. */
export async function resolveConflict(
  { notebook, drafts }: NotebookAtHand,
  conflict: CellConflict,
  keep: "mine" | "theirs",
): Promise<void> {
  const mine = notebook.cell(conflict.mine)?.facts.value;
  const theirs = notebook.cell(conflict.theirs)?.facts.value;
  if (mine === undefined || theirs === undefined) return drafts.forget(conflict);
  const done = await notebook.attempt({
    ...{ action: "resolve", keep },
    mine: { cell: mine.key, revision: mine.revision },
    theirs: { cell: theirs.key, revision: theirs.revision },
  });
  if (done === null) return;
  drafts.forget(conflict);
  const dropped = keep === "mine" ? theirs : mine;
  const text = keep === "mine" ? "The other version was replaced by yours." : "Your version was deleted.";
  const cellType = dropped.type === "unknown" ? "raw" : dropped.type;
  const undo = () => notebook.attempt({ action: "insert", after: theirs.key, content: dropped.source, cellType });
  notebook.message.value = { text, undo };
}
