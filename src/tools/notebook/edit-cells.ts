import type { EditDetails, NotebookEdit } from "../../notebook/edit/edit-action.ts";
import { sayEdit } from "../../notebook/edit/say-edit.ts";
import { editNotebookFile } from "../../notebook/file/edit-notebook-file.ts";
import type { NotebookDetails } from "../definition/details.ts";
import type { ToolResult } from "../definition/tool.ts";
import type { NamedFile } from "../files/named-file.ts";

/** Applies edits to a notebook's file, all of them or none. */
export async function editCells(
  place: NamedFile,
  edits: readonly NotebookEdit[],
  signal: AbortSignal | undefined,
): Promise<ToolResult<NotebookDetails>> {
  const told = await editNotebookFile(place.real, edits, { within: place.within, signal });
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
