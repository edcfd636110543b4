import { basename } from "node:path";
import { largestNotebook } from "../../notebook/file/file-content.ts";
import { updateNotebook } from "../../notebook/file/update-notebook.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { parseNotebook } from "../../notebook/parse/parse-notebook.ts";
import { cellText } from "../../notebook/text/cell-text.ts";
import { parseCellText } from "../../notebook/text/parse-cell-text.ts";
import { withCellText } from "../../notebook/text/write-cell-text.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { NamedFile } from "./named-file.ts";
import { openFile, requireOpenable } from "./open-file.ts";
import type { TextUpdate } from "./update-text-file.ts";

/** Changes a notebook as text, cell by cell. Cells that the text leaves unchanged keep their bytes in the file. */
export async function updateCellText(
  place: NamedFile,
  change: (text: string) => string,
  { orEmpty, signal }: { readonly orEmpty: boolean; readonly signal: AbortSignal | undefined },
): Promise<TextUpdate> {
  if (!orEmpty) await requireOpenable(place);
  let update: TextUpdate = { before: "", after: "" };
  await updateNotebook(
    place.real,
    (notebook) => {
      const before = cellText(notebook);
      update = { before, after: change(before) };
      return withCellText(notebook, update.after);
    },
    { orEmpty, within: place.within, ...(signal !== undefined && { signal }) },
  );
  return update;
}

/** Reads a notebook for display. */
export async function readNotebookAt(place: NamedFile, signal?: AbortSignal): Promise<Notebook> {
  await using file = await openFile(place);
  const content = await file.whole(largestNotebook, signal);
  if (content === null) throw new GranaryError("too-large", `${place.path} cannot be read: it is too large.`);
  return parseNotebook(content, basename(place.path));
}

/** Returns the same text if it is a notebook; otherwise throws and names the problem. */
export function checkedNotebook(json: string, name: string): string {
  parseNotebook(Buffer.from(json), name);
  return json;
}

/** Returns the same text if it is cell text; otherwise throws and names the problem. */
export function checkedCellText(text: string): string {
  parseCellText(text);
  return text;
}
