import type { EditDetails, NotebookEdit } from "../../notebook/edit/edit-action.ts";
import { editNotebook } from "../../notebook/edit/edit-notebook.ts";
import { sayEdit } from "../../notebook/edit/say-edit.ts";
import { updateNotebook } from "../../notebook/file/update-notebook.ts";
import type { NotebookDetails } from "../details.ts";
import type { Place } from "../files/place.ts";
import type { ToolResult } from "../tool.ts";

/** Applies edits to a notebook's file, all of them or none. */
export async function editCells(
  place: Place,
  edits: readonly NotebookEdit[],
  signal: AbortSignal | undefined,
): Promise<ToolResult<NotebookDetails>> {
  let told: readonly EditDetails[] = [];
  await updateNotebook(
    place.real,
    async (notebook) => {
      const edited = editNotebook(notebook, edits);
      told = edited.details;
      await place.stillInside();
      return edited.notebook;
    },
    signal === undefined ? {} : { signal },
  );
  const last = told.at(-1) as EditDetails;
  const { path } = place;
  return {
    content: [{ type: "text", text: told.map(sayEdit).join("\n") }],
    isError: false,
    details: { ...last, path, ...(told.length > 1 && { edits: told }) },
    structured: { path, totalCells: last.totalCells, edits: told.map(brief) },
  };
}

function brief({ action, cellIndex, cellId }: EditDetails): object {
  return { action, ...(cellIndex !== null && { cellIndex }), ...(cellId !== null && { cellId }) };
}
