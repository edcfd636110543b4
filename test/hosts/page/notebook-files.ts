import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface CellContent {
  readonly type?: "code" | "markdown" | "raw";
  readonly outputs?: readonly object[];
  readonly metadata?: object;
}

/** A cell in nbformat 4.5. */
export function storedCell(id: string, source: string, content: CellContent = {}): Record<string, unknown> {
  const { type = "code", outputs = [], metadata = {} } = content;
  const code = type === "code" ? { execution_count: null, outputs } : {};
  return { cell_type: type, id, metadata, source: [source], ...code };
}

/** Writes a notebook in a style that no other writer has, to see that it stays. */
export function writeNotebook(folder: string, name: string, cells: readonly object[]): string {
  const path = join(folder, name);
  const parts = cells.map((each) => `   ${JSON.stringify(each)}`);
  const head = `{ "cells" : [\n${parts.join(" ,\n")}\n], `;
  writeFileSync(path, `${head}"nbformat_minor":5,"metadata":{"a":1e3},\n "nbformat":4}\n\n`);
  return path;
}
