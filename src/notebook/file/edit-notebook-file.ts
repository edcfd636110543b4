import { whileLocked } from "../../support/files/locked-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { EditDetails, NotebookEdit } from "../edit/edit-action.ts";
import { editNotebook } from "../edit/edit-notebook.ts";
import type { Notebook } from "../notebook.ts";
import { updateLargeFile } from "./large/update-large-file.ts";
import { updateLocked } from "./update-notebook.ts";

export interface EditFileOptions {
  /** May refuse the result before anything is written. */
  readonly beforeSaving?: () => Promise<void>;
  /** @internal Folders that the file must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Applies edits to a notebook's file, all of them or none. When another program saves the file in between, they are
 * applied to its new content, unless an index may mean another cell there.
 */
export async function editNotebookFile(
  path: string,
  edits: readonly NotebookEdit[],
  { beforeSaving, within, signal }: EditFileOptions = {},
): Promise<readonly EditDetails[]> {
  let first: Notebook | null = null;
  let details: readonly EditDetails[] = [];
  const apply = async (notebook: Notebook) => {
    first ??= notebook;
    if (edits.some(namesIndex) && !hasSamePlaces(first, notebook)) throw indexMayMeanAnother(path);
    const edited = editNotebook(notebook, edits);
    details = edited.details;
    await beforeSaving?.();
    return edited.notebook;
  };
  await whileLocked(path, { within, signal }, async () => {
    if (!edits.some(needsAllCells) && (await updateLargeFile(path, apply, { within, signal }))) return;
    await updateLocked(path, apply, { within, ...(signal !== undefined && { signal }) });
  });
  return details;
}

/** Then reading one cell after the other would be slower than reading the whole file. */
function needsAllCells(edit: NotebookEdit): boolean {
  return edit.action === "clear" && edit.cell === undefined;
}

function namesIndex(edit: NotebookEdit): boolean {
  const { cell, at, before, after, to } = edit as Partial<Record<"cell" | "at" | "before" | "after" | "to", unknown>>;
  return [cell, at, before, after, to].some((address) => typeof address === "number");
}

/** Whether every index means the same cell in both. Without ids, a cell is known by its source. */
function hasSamePlaces(one: Notebook, other: Notebook): boolean {
  if (one === other) return true;
  const nameOf = ({ id, type, source }: Notebook["cells"][number]) => id ?? `${type} ${source}`;
  const names = other.cells.map(nameOf);
  return one.cells.length === names.length && one.cells.every((cell, index) => nameOf(cell) === names[index]);
}

function indexMayMeanAnother(path: string): GranaryError {
  return new GranaryError(
    "changed-on-disk",
    `Another program has added, removed or moved cells of ${path} during the edit, so an index may mean another cell now. ` +
      "Nothing was changed. Read the notebook again and repeat the edit, or name the cell by its id.",
    { details: { path } },
  );
}
