import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { quote } from "../../../support/json/bytes.ts";
import { ObjectText } from "../../../support/json/object-text.ts";
import { parseSpan } from "../../../support/json/parse.ts";
import type { JsonValue } from "../../../support/json/value.ts";
import { type FoundCellType, foundCellType, joined, NotebookCell } from "../../cell.ts";
import { NeedsWholeFile } from "./needs-whole-file.ts";

/** A cell's place in its file. */
export interface PlaceInFile {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A cell of a large notebook. Its bytes stay in the file, and are read when an edit needs them; the members that tell cells
 * apart are known without. Valid while the file is open.
 */
export class CellOnDisk extends NotebookCell {
  readonly place: PlaceInFile;
  readonly #id: string | null;
  readonly #type: string | null;
  readonly #source: string | null;

  /** @param cell the cell in memory that will be used again */
  constructor(file: FileHandle, place: PlaceInFile, cell: ObjectText) {
    super(() => readCell(file, place));
    this.place = place;
    this.#id = textOf(cell, "id");
    this.#type = textOf(cell, "cell_type");
    // Without an id, the source tells whether a cell is still the same.
    this.#source = this.#id?.charCodeAt(0) === quote ? null : textOf(cell, "source");
  }

  override get id(): string | null {
    const id = parsed(this.#id);
    return typeof id === "string" ? id : null;
  }

  override get type(): FoundCellType {
    return foundCellType(parsed(this.#type));
  }

  override get source(): string {
    return this.#source === null ? super.source : joined(parsed(this.#source));
  }
}

/** The JSON of a member, with one character for each byte: much faster than decoding it, and seldom needed. */
function textOf(cell: ObjectText, key: string): string | null {
  const span = cell.spanOf(key);
  return span === null ? null : cell.bytes.toString("latin1", span.valueStart, span.valueEnd);
}

function parsed(text: string | null): JsonValue | undefined {
  return text === null ? undefined : parseSpan(Buffer.from(text, "latin1"), 0, text.length);
}

/** Synchronous, because edits are; the file was read a moment ago, so the bytes are in the system's cache. */
function readCell({ fd }: FileHandle, { start, end }: PlaceInFile): ObjectText {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let length = 0; length < bytes.length; ) {
    const bytesRead = orNeedsWholeFile(() => readSync(fd, bytes, length, bytes.length - length, start + length));
    if (bytesRead === 0) throw new NeedsWholeFile();
    length += bytesRead;
  }
  return ObjectText.of(bytes);
}

function orNeedsWholeFile<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new NeedsWholeFile(cause);
  }
}
