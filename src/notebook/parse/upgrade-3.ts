import { createHash } from "node:crypto";
import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonObject, JsonValue } from "../../support/json/value.ts";
import { joined } from "../cell.ts";
import { linesIn, splitLines } from "../lines.ts";
import { isText } from "../output.ts";
import { type JoinLines, joinLinesOf, withWholeTexts } from "./old-lines.ts";
import { upgradeOutput } from "./upgrade-3-output.ts";

/**
 * A notebook of nbformat 2 or 3 as nbformat 4.5, equal to the result of Python's `nbformat.convert`. Only the ids differ: there
 * they are random, and here the same file has the same ids each time it is read.
 */
export function upgradeFrom3(notebook: JsonObject, version: number): JsonObject {
  const {
    metadata,
    worksheets,
    nbformat: _,
    nbformat_minor: _minor,
    orig_nbformat,
    orig_nbformat_minor,
    ...rest
  } = notebook;
  const old = listOf(worksheets).flatMap((sheet) => (isJsonObject(sheet) ? listOf(sheet.cells) : []));
  const cells = old.map((cell, index) => (isJsonObject(cell) ? upgradeCell(cell, index, joinLinesOf(version)) : cell));
  return { ...rest, cells, metadata: upgradeMetadata(metadata, old), nbformat: 4, nbformat_minor: 5 };
}

/** The language was in each cell. Keep one that is not Python: such a notebook must not run. */
function upgradeMetadata(metadata: JsonValue | undefined, cells: readonly JsonValue[]): JsonObject {
  const { name: _name, signature: _signature, ...rest } = objectOf(metadata);
  const languages = cells.flatMap((cell) =>
    isJsonObject(cell) && cell.cell_type === "code" ? joined(cell.language) : [],
  );
  const foreign = languages.find((language) => language !== "" && language !== "python");
  return foreign === undefined ? rest : { language_info: { name: foreign }, ...rest };
}

function upgradeCell(stored: JsonObject, index: number, join: JoinLines): JsonObject {
  const cell = withWholeTexts(stored, ["input", "source"], join);
  const { trusted: _, rendered: _rendered, ...known } = cell;
  const { trusted: _cellTrusted, ...metadata } = objectOf(cell.metadata);
  const upgraded = known.cell_type === "code" ? codeCell(known, metadata, join) : textCell(known, metadata);
  return { ...upgraded, id: idOf(index, joined(cell.source ?? cell.input)) };
}

function codeCell(cell: JsonObject, metadata: JsonObject, join: JoinLines): JsonObject {
  const { language: _, collapsed, input, prompt_number = null, outputs, ...rest } = cell;
  return {
    ...rest,
    metadata: collapsed === undefined ? metadata : { ...metadata, collapsed },
    source: textOf(input),
    execution_count: prompt_number,
    outputs: listOf(outputs).map((output) => (isJsonObject(output) ? upgradeOutput(output, join) : output)),
  };
}

function textCell(cell: JsonObject, metadata: JsonObject): JsonObject {
  const { level, source, ...rest } = cell;
  if (rest.cell_type === "heading") {
    const hashes = "#".repeat(isWhole(level) ? Math.min(Math.max(level, 1), deepestHeading) : 1);
    return { ...rest, cell_type: "markdown", metadata, source: [`${hashes} ${linesIn(joined(source)).join(" ")}`] };
  }
  const type = rest.cell_type === "html" ? "markdown" : rest.cell_type;
  return { ...rest, ...(type !== undefined && { cell_type: type }), metadata, source: textOf(source) };
}

/** A Markdown heading has no deeper level. */
const deepestHeading = 6;

function isWhole(value: JsonValue | undefined): value is number {
  return Number.isInteger(value);
}

/** The checks of every notebook handle a source that is not text. */
function textOf(source: JsonValue | undefined): JsonValue {
  if (source === undefined) return [];
  return isText(source) ? splitLines(joined(source)) : source;
}

function idOf(index: number, source: string): string {
  return createHash("sha256").update(`${index} ${source}`).digest("hex").slice(0, 12);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
