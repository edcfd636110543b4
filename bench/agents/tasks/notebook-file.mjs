import { readFileSync, writeFileSync } from "node:fs";

/** @typedef {{ code: string, printed?: string }} CodeCell */

/**
 * @param {string} path
 * @param {CodeCell[]} cells
 */
export function writeNotebook(path, cells) {
  const notebook = {
    cells: cells.map(({ code, printed }, index) => ({
      cell_type: "code",
      execution_count: printed === undefined ? null : index + 1,
      id: `cell-${index}`,
      metadata: {},
      outputs: printed === undefined ? [] : [{ name: "stdout", output_type: "stream", text: [printed] }],
      source: [code],
    })),
    metadata: { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  writeFileSync(path, `${JSON.stringify(notebook, null, 1)}\n`);
}

/**
 * @param {string} path
 * @returns {{ printed: string, errors: number }} of all cells in the file
 */
export function readOutputs(path) {
  /** @type {{ cells: { outputs?: { output_type: string, text?: string | string[], data?: Record<string, string | string[]> }[] }[] }} */
  const { cells } = JSON.parse(readFileSync(path, "utf8"));
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);
  return {
    printed: outputs.flatMap((output) => output.text ?? output.data?.["text/plain"] ?? []).join(""),
    errors: outputs.filter((output) => output.output_type === "error").length,
  };
}
