import { openBrace } from "../../support/json/bytes.ts";
import { withMember, withoutMember, withValueText } from "../../support/json/edit-object.ts";
import { ObjectText } from "../../support/json/object-text.ts";
import { JsonScanner } from "../../support/json/scanner.ts";
import { indentOfMembers, type JsonStyle } from "../../support/json/style.ts";
import type { JsonValue } from "../../support/json/value.ts";
import type { NotebookCell } from "../cell.ts";
import { frameOrder, type Notebook } from "../notebook.ts";
import { cellWith, withValue } from "./change-cell.ts";

/** New values for some members of a metadata object; undefined removes a member, all others stay. */
export type MetadataPatch = Readonly<Record<string, JsonValue | undefined>>;

/** The notebook with new values in its own metadata, such as `language_info`. */
export function withNotebookMetadata(notebook: Notebook, patch: MetadataPatch): Notebook {
  const { frame, style } = notebook;
  const place = { order: frameOrder, indent: null };
  const prepared = isObjectAt(frame, "metadata") ? frame : withMember(frame, "metadata", {}, style, place);
  const patched = withPatchedMember(prepared, "metadata", patch, style);
  return patched === frame ? notebook : { ...notebook, frame: patched };
}

export function withCellMetadata(notebook: Notebook, cell: NotebookCell, patch: MetadataPatch): NotebookCell {
  const prepared = isObjectAt(cell.json, "metadata") ? cell : withValue(notebook, cell, "metadata", {});
  return cellWith(prepared, withPatchedMember(prepared.json, "metadata", patch, notebook.style));
}

/** The cell with tags added and removed; without any tags left, the list is removed. */
export function withTags(
  notebook: Notebook,
  cell: NotebookCell,
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): NotebookCell {
  const tags = [...new Set([...cell.tags, ...add])].filter((tag) => !remove.includes(tag));
  const isSame = tags.length === cell.tags.length && tags.every((tag, index) => tag === cell.tags[index]);
  return isSame ? cell : withCellMetadata(notebook, cell, { tags: tags.length === 0 ? undefined : tags });
}

/** Changes members of a nested object; the rest of it keeps its bytes. */
function withPatchedMember(parent: ObjectText, key: string, patch: MetadataPatch, style: JsonStyle): ObjectText {
  const span = parent.spanOf(key);
  if (span === null) return parent;
  const old = ObjectText.read(new JsonScanner(parent.bytes, span.valueStart));
  const place = {
    get order() {
      return old.size === 0 || style.sortsKeys ? [...new Set([...old.keys, ...Object.keys(patch)])].sort() : [];
    },
    get indent() {
      return indentOfMembers(parent);
    },
  };
  let patched = old;
  for (const [name, value] of Object.entries(patch)) {
    patched = value === undefined ? withoutMember(patched, name) : withMember(patched, name, value, style, place);
  }
  return patched === old ? parent : withValueText(parent, key, patched.text);
}

function isObjectAt(parent: ObjectText, key: string): boolean {
  const span = parent.spanOf(key);
  return span !== null && parent.bytes[span.valueStart] === openBrace;
}
