import { readFileSync } from "node:fs";
import { type Notebook, notebookBytes } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { nbformatStyle } from "../../src/support/json/style.ts";
import type { JsonValue } from "../../src/support/json/value.ts";
import { writeJson } from "../../src/support/json/write.ts";

/** Small notebooks as different programs write them, with one of each kind of cell and output. */
export const fixtures = [
  "jupyterlab-4.5",
  "classic-4.0",
  "vscode-4.2",
  "vscode-indent2-4.4",
  "colab",
  "colab-one-line",
  "windows-4.3",
  "json-dump-4.1",
  "json-dump-indent4-4.1",
  "by-hand-4.5",
] as const;

export function fixture(name: string): Buffer {
  return readFileSync(fixturePath(name));
}

function fixturePath(name: string): string {
  return new URL(`fixtures/${name}.ipynb`, import.meta.url).pathname;
}

/** A notebook with 200,000 of this cell: work that grows with their square takes minutes. */
export function manyOf(cell: JsonValue): Notebook {
  const cells = `${JSON.stringify(cell)},`.repeat(200_000).slice(0, -1);
  return parseNotebook(Buffer.from(`{"cells":[${cells}],"metadata":{},"nbformat":4,"nbformat_minor":4}`));
}

/** A notebook with these cells, as nbformat would write it. */
export function notebookOf(cells: readonly JsonValue[], minor = 4): Notebook {
  const content = { cells, metadata: {}, nbformat: 4, nbformat_minor: minor };
  return parseNotebook(Buffer.from(`${writeJson(content, nbformatStyle, "")}\n`));
}

export function code(source: string, more: Record<string, JsonValue> = {}): JsonValue {
  return { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [source], ...more };
}

export function markdown(source: string, more: Record<string, JsonValue> = {}): JsonValue {
  return { cell_type: "markdown", metadata: {}, source: [source], ...more };
}

export const printed = (text: string): JsonValue => ({ name: "stdout", output_type: "stream", text: [text] });

export function sources(notebook: Notebook): string[] {
  return notebook.cells.map((cell) => cell.source);
}

/** The lines that differ, as `diff` shows them: removed lines, then added ones. */
export function changedLines(before: Buffer, after: Notebook): { gone: string[]; added: string[] } {
  const old = before.toString().split("\n");
  const now = notebookBytes(after).toString().split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { gone: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}
