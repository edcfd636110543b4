import type { MemberSpan, ObjectText } from "../support/json/object-text.ts";
import { isJsonObject } from "../support/json/parse.ts";
import type { JsonStyle } from "../support/json/style.ts";
import type { JsonObject } from "../support/json/value.ts";
import type { NotebookCell } from "./cell.ts";
import type { SeenFile } from "./file/seen-file.ts";

/**
 * A notebook as it is written: every byte of the file is in exactly one of these parts, and an edit makes new parts
 * only for its changes. Immutable; `notebookPieces` joins the file again.
 */
export interface Notebook {
  /** The bytes before the outermost brace: a byte order mark, white space. */
  readonly before: Buffer;
  /** The outermost object without the cells: its `cells` are `[]`. */
  readonly frame: ObjectText;
  readonly cells: readonly NotebookCell[];
  /** The bytes before each cell: white space, and a comma except before the first. */
  readonly leads: readonly Buffer[];
  /** The bytes between the last cell and the bracket. */
  readonly end: Buffer;
  /** The bytes after the outermost brace: most often a newline. */
  readonly after: Buffer;
  readonly style: JsonStyle;
  /** Its file, even before the first save; null for a notebook without a file. */
  readonly origin: Origin | null;
  /** The file's nbformat, if older: all parts are those of the upgraded notebook. */
  readonly upgradedFrom?: number;
}

interface Origin {
  readonly path: string;
  /** The file's content at the last read or write; null when it did not exist. */
  readonly content: readonly Buffer[] | null;
  /** The file's facts at the read; missing after a save. */
  readonly seen?: SeenFile | null;
}

/** The members of the frame, in nbformat's order. */
export const frameOrder: readonly string[] = ["cells", "metadata", "nbformat", "nbformat_minor"];

/** The notebook's bytes, in order. Most of them still belong to the buffer that was read, so nothing is copied. */
export function notebookPieces(notebook: Notebook): Buffer[] {
  const { frame, leads } = notebook;
  const cut = cellsBracket(frame);
  const pieces = [notebook.before, frame.bytes.subarray(frame.start, cut)];
  // Adjacent cells of the file are one piece; otherwise a million cells would be two million pieces.
  let run: { bytes: Buffer; start: number; end: number } | null = null;
  for (const [index, { json }] of notebook.cells.entries()) {
    const lead = leads[index] as Buffer;
    if (run !== null && run.bytes === json.bytes && isBetween(lead, json.bytes, run.end, json.start)) {
      run.end = json.end;
      continue;
    }
    if (run !== null) pieces.push(run.bytes.subarray(run.start, run.end));
    pieces.push(lead);
    run = { bytes: json.bytes, start: json.start, end: json.end };
  }
  if (run !== null) pieces.push(run.bytes.subarray(run.start, run.end));
  pieces.push(notebook.end, frame.bytes.subarray(cut, frame.end), notebook.after);
  return pieces;
}

export function notebookBytes(notebook: Notebook): Buffer {
  return Buffer.concat(notebookPieces(notebook));
}

/** The 5 of nbformat 4.5; 0 by default. */
export function nbformatMinor(notebook: Notebook): number {
  const minor = notebook.frame.get("nbformat_minor");
  return typeof minor === "number" ? minor : 0;
}

export function hasCellIds(notebook: Notebook): boolean {
  return nbformatMinor(notebook) >= 5;
}

export function notebookMetadata(notebook: Notebook): JsonObject {
  const metadata = notebook.frame.get("metadata");
  return isJsonObject(metadata) ? metadata : {};
}

/** The position of the cells in the frame: right after the bracket of its `cells`. */
function cellsBracket(frame: ObjectText): number {
  return (frame.spanOf("cells") as MemberSpan).valueStart + 1;
}

function isBetween(text: Buffer, bytes: Buffer, start: number, end: number): boolean {
  return text.length === end - start && text.compare(bytes, start, end) === 0;
}
