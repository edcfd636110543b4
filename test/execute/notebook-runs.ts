import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import { isJsonObject } from "../../src/support/json/parse.ts";
import { nbformatStyle } from "../../src/support/json/style.ts";
import type { JsonObject, JsonValue } from "../../src/support/json/value.ts";
import { writeJson } from "../../src/support/json/write.ts";
import { newestPython } from "../environment/pythons.ts";

export const folder = mkdtempSync(join(tmpdir(), "granary-notebooks-"));

/** Granary in a folder of the tests' own; `python` is the newest of this machine, unless another one is needed. */
export function runtime(options: RuntimeOptions & { readonly python?: string } = {}): Promise<Runtime> {
  const { python = newestPython().path, ...others } = options;
  const env = { PATH: `${dirname(python)}:/usr/bin:/bin`, HOME: folder, GRANARY_HOME: join(folder, "home") };
  return createRuntime({ cwd: folder, env, ...others });
}

let last = 0;

/** A file with these cells: a text is a code cell, an object says more. */
export function notebookFile(cells: readonly (string | JsonObject)[], metadata: JsonObject = {}): string {
  const path = join(folder, `notebook-${++last}.ipynb`);
  writeFileSync(path, notebookText(cells, metadata));
  return path;
}

export function notebookText(cells: readonly (string | JsonObject)[], metadata: JsonObject = {}): string {
  const content = { cells: cells.map(cellOf), metadata, nbformat: 4, nbformat_minor: 5 };
  return `${writeJson(content, nbformatStyle, "")}\n`;
}

/** The id of the cell at a place, in notebooks made here. */
export const idOf = (index: number): string => `cell-${index}`;

export function readCells(path: string): readonly JsonObject[] {
  const { cells } = JSON.parse(readFileSync(path, "utf8")) as { cells: JsonObject[] };
  return cells;
}

/** The outputs of a notebook's cells, in a short form for tests. */
export function shownBy(path: string): readonly (readonly string[])[] {
  return readCells(path).map(({ outputs }) => (Array.isArray(outputs) ? outputs.map(brief) : []));
}

function brief(output: JsonValue): string {
  if (!isJsonObject(output)) return String(output);
  const { output_type, name, text, data, ename, evalue } = output;
  const joined = (value: JsonValue | undefined) => (Array.isArray(value) ? value.join("") : String(value));
  if (output_type === "stream") return `${name}: ${joined(text)}`;
  if (output_type === "error") return `error: ${ename}: ${evalue}`;
  return `${output_type === "execute_result" ? "result" : "display"}: ${joined((data as JsonObject)["text/plain"])}`;
}

function cellOf(cell: string | JsonObject, index: number): JsonObject {
  const { source = "", ...more } = typeof cell === "string" ? { source: cell } : cell;
  const type = more.cell_type ?? "code";
  const code = type === "code" ? { execution_count: null, outputs: [] } : {};
  return { cell_type: type, id: idOf(index), metadata: {}, source, ...code, ...more };
}
