import { isAscii, isUtf8 } from "node:buffer";
import { GranaryError } from "../../support/granary-error.ts";
import { afterMark, openBrace, openBracket } from "../../support/json/bytes.ts";
import { ObjectText } from "../../support/json/object-text.ts";
import { parseSpan } from "../../support/json/parse.ts";
import { JsonScanner } from "../../support/json/scanner.ts";
import { isSorted, nbformatStyle, styleOf } from "../../support/json/style.ts";
import { JsonSyntaxError } from "../../support/json/tokens.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { writeJson } from "../../support/json/write.ts";
import { NotebookCell } from "../cell.ts";
import type { Notebook } from "../notebook.ts";
import { CellScan } from "./cell-scan.ts";
import { checkCell } from "./check-cell.ts";
import { oldVersion } from "./check-version.ts";
import type { EarlyCells } from "./early-cells.ts";
import { notJson, notUtf8, withoutCells } from "./not-a-notebook.ts";
import { upgradeFrom3 } from "./upgrade-3.ts";

/**
 * Parses a notebook's bytes into its parts. `name` is its name in messages. A notebook of nbformat 3 is upgraded, in memory.
 * Checks only what edits rely on; `validateNotebook` checks every rule of nbformat.
 */
export function parseNotebook(content: Uint8Array, name = "The notebook"): Notebook {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return parseWithEarlyCells(bytes, name, null);
}

/** @param early cells that were found while the rest of the file was being read */
export function parseWithEarlyCells(bytes: Buffer, name: string, early: EarlyCells | null): Notebook {
  const found = scan(bytes, name, early?.bytes === bytes ? early : null);
  const frame = frameWithoutCells(bytes, found);
  const old = oldVersion(frame, name);
  if (old !== null) return { ...upgraded(bytes, found, old, name), upgradedFrom: old };
  if (found.cells === null) throw withoutCells(frame, name);
  const scanner = new JsonScanner(bytes);
  found.cells.forEach((cell, index) => {
    checkCell(cell, index, name, scanner);
  });
  const cells = (found.cells as ObjectText[]).map((json) => new NotebookCell(json));

  const style = styleOf(frame);
  const [firstCell] = cells;
  return {
    before: bytes.subarray(0, found.start),
    frame,
    cells,
    leads: found.leads,
    end: found.end,
    after: bytes.subarray(found.stop),
    style: {
      ...style,
      sortsKeys: style.sortsKeys && (firstCell === undefined || isSorted(firstCell.json.keys)),
      escapesNonAscii: found.escapesNonAscii && isAscii(bytes),
    },
    origin: null,
  };
}

function upgraded(bytes: Buffer, { start, stop }: Found, version: number, name: string): Notebook {
  const content = upgradeFrom3(parseSpan(bytes, start, stop) as JsonObject, version);
  return parseNotebook(Buffer.from(`${writeJson(content, nbformatStyle, "")}\n`), name);
}

interface Found {
  /** The position of the outermost object. */
  readonly start: number;
  readonly stop: number;
  /** Null when there is no list of cells. */
  readonly cells: CellScan["cells"] | null;
  readonly leads: readonly Buffer[];
  readonly end: Buffer;
  /** The position of the list of cells, between its brackets. */
  readonly inside: { readonly start: number; readonly end: number };
  readonly escapesNonAscii: boolean;
}

function scan(bytes: Buffer, name: string, early: EarlyCells | null): Found {
  if (!isUtf8(early === null ? bytes : bytes.subarray(early.checked))) throw notUtf8(bytes, name);
  const scanner = new JsonScanner(bytes, afterMark(bytes));
  try {
    if (scanner.peek() !== openBrace) {
      scanner.skipValue();
      throw new GranaryError("not-a-notebook", `${name} is not a notebook: it has to be a JSON object.`);
    }
    const start = scanner.at;
    let list: CellScan | null = null;
    scanner.readObject((keyStart, keyEnd) => {
      const isCells = parseSpan(bytes, keyStart, keyEnd) === "cells";
      if (isCells) list = null;
      if (isCells && scanner.peek() === openBracket) {
        list = early?.listAt(scanner.at) ?? new CellScan(scanner.at);
        list.read(scanner);
      } else scanner.skipValue();
    });
    const stop = scanner.at;
    if (scanner.peek() !== -1) scanner.fail("there is more text after the end of the notebook");
    return { start, stop, ...partsOf(list, bytes), escapesNonAscii: scanner.sawEscapedCharacter };
  } catch (error) {
    throw error instanceof JsonSyntaxError ? notJson(error, bytes, name) : error;
  }
}

function partsOf(list: CellScan | null, bytes: Buffer): Pick<Found, "cells" | "leads" | "end" | "inside"> {
  if (list === null) return { cells: null, leads: [], end: Buffer.alloc(0), inside: { start: 0, end: 0 } };
  const { cells, leads, start, end, stop } = list;
  return { cells, leads, end: bytes.subarray(end, stop), inside: { start, end: stop } };
}

/** The outermost object with an empty list of cells. */
function frameWithoutCells(bytes: Buffer, { start, stop, inside }: Found): ObjectText {
  const whole = bytes.subarray(start, stop);
  if (inside.start === inside.end) return ObjectText.of(whole);
  return ObjectText.of(Buffer.concat([bytes.subarray(start, inside.start), bytes.subarray(inside.end, stop)]));
}
