import { withMember } from "../../support/json/edit-object.ts";
import type { NotebookCell } from "../cell.ts";
import { frameOrder, type Notebook, nbformatMinor } from "../notebook.ts";
import { isValidId, type MakeId, randomId, unusedIds } from "./cell-id.ts";
import { withAllCells } from "./cell-list.ts";
import { withValue } from "./change-cell.ts";

const latestMinor = 5;

/**
 * The notebook in nbformat 4.5, the version in which cells have ids: cells without an id get one, and so do cells whose
 * id is invalid or a duplicate. A notebook of 4.5 or newer with good ids is returned unchanged.
 */
export function upgradeNotebook(
  notebook: Notebook,
  { makeId = randomId }: { readonly makeId?: MakeId } = {},
): Notebook {
  const unusedId = unusedIds(notebook, makeId);
  const taken = new Set<string>();
  const cells = notebook.cells.map((cell): NotebookCell => {
    const { id } = cell;
    const isGood = isValidId(id) && !taken.has(id);
    const kept = isGood ? id : unusedId();
    taken.add(kept);
    return isGood ? cell : withValue(notebook, cell, "id", kept);
  });
  const withIds = withAllCells(notebook, cells);
  if (nbformatMinor(notebook) >= latestMinor) return withIds;

  const place = { order: frameOrder, indent: null };
  const versioned = withMember(withIds.frame, "nbformat", 4, notebook.style, place);
  return { ...withIds, frame: withMember(versioned, "nbformat_minor", latestMinor, notebook.style, place) };
}
