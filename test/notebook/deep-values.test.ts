import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparableOutputs } from "../../src/execute/notebook/verify/comparable-outputs.ts";
import { withCellAt } from "../../src/notebook/edit/cell-list.ts";
import { withSource } from "../../src/notebook/edit/change-cell.ts";
import { withOutputs } from "../../src/notebook/edit/write-outputs.ts";
import { notebookBytes } from "../../src/notebook/notebook.ts";
import { asOutput } from "../../src/notebook/output.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { cellText } from "../../src/notebook/text/cell-text.ts";
import { percentScript } from "../../src/notebook/text/percent/percent-script.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { ExecutionCapture } from "../../src/output/execution-capture.ts";
import { takeOutputs } from "../../src/tools/notebook/shown-outputs.ts";
import { isLong } from "../environment/variants.ts";
import { folder, notebook, notebookJson } from "../hosts/cli/notebook/notebook-command.ts";

const nested = (depth: number): string => `${"[".repeat(depth)}NaN${"]".repeat(depth)}`;
const inObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Notebooks with `value` in one place after the other, wherever such a notebook can be read at all. */
function* notebooksWith(value: string): Generator<Buffer> {
  const output = (data: string, metadata = "{}"): string =>
    `{"output_type": "display_data", "data": ${data}, "metadata": ${metadata}}`;
  const outputs = [
    output(`{"application/json": ${value}, "text/plain": "x"}`),
    output(`{"application/vnd.vegalite.v5+json": ${value}}`),
    output(`{"image/png": ${value}, "text/html": ${value}, "text/plain": ${value}}`),
    output(`{"application/x-granary-status": ${value}}`),
    output(`{"application/x-granary-status": {"op": "x", "deep": ${value}}}`),
    output(value),
    output("{}", value),
    `{"output_type": "stream", "name": ${value}, "text": ${value}}`,
    `{"output_type": "error", "ename": ${value}, "evalue": ${value}, "traceback": ${value}}`,
    `{"output_type": ${value}}`,
    `{"output_type": "execute_result", "execution_count": ${value}, "data": {}, "metadata": {}}`,
    value,
  ];
  const cell = (more: string, metadata = "{}"): string =>
    `{"cell_type": "code", "id": "a", "metadata": ${metadata}, "source": "1", "execution_count": 1, ${more}}`;
  const cells = [
    ...outputs.map((each) => cell(`"outputs": [${each}]`)),
    cell(`"outputs": ${value}`),
    cell('"outputs": []', `{"deep": ${value}, "tags": ${value}, "execution": ${value}}`),
    cell('"outputs": []', value),
    `{"cell_type": "markdown", "id": ${value}, "metadata": {}, "source": "1", "attachments": ${value}}`,
  ];
  for (const each of cells) yield notebookOf(each, "{}");
  yield notebookOf(cell('"outputs": []'), `{"deep": ${value}, "kernelspec": ${value}, "language_info": ${value}}`);
  yield notebookOf(cell('"outputs": []'), value);
}

const notebookOf = (cell: string, metadata: string): Buffer =>
  Buffer.from(`{"cells": [${cell}], "metadata": ${metadata}, "nbformat": 4, "nbformat_minor": 5}`);

describe.each(isLong ? [3_000, 5_000, 90_000] : [5_000, 15_000])(
  "JSON that is nested %d levels deep, anywhere in a notebook",
  (depth) => {
    test.each([
      ["lists", nested(depth)],
      ["objects", inObjects(depth)],
    ])("%s: every read and every edit works, and the rest keeps its bytes", async (_what, value) => {
      for (const bytes of notebooksWith(value)) {
        const before = parseNotebook(bytes);
        const [cell] = before.cells;
        if (cell === undefined) throw new Error("there is a cell");
        expect(notebookBytes(before).equals(bytes)).toBe(true);
        validateNotebook(before);
        percentScript(before);
        cellText(before, { outputCharacters: 500 });
        comparableOutputs(cell.outputs.map(asOutput).filter((output) => output !== null));
        const capture = new ExecutionCapture();
        await takeOutputs(cell.outputs, capture);
        JSON.stringify(await capture.finish());
        const edited = notebookBytes(withCellAt(before, 0, withSource(before, cell, "2"))).toString();
        expect(edited).toContain(value);
        if (cell.type === "code") withOutputs(before, 0, { outputs: [], executionCount: 2 });
      }
    });
  },
);

test("the notebook commands accept one with deep values, and run it", async () => {
  const path = join(folder, "deep.ipynb");
  const value = nested(5_000);
  const outputs = `[{"output_type": "display_data", "data": {"application/json": ${value}}, "metadata": {"m": ${value}}}]`;
  const cell = `{"cell_type": "code", "id": "a", "metadata": {"deep": ${value}}, "source": "1", "execution_count": 1, "outputs": ${outputs}}`;
  const write = (): void => writeFileSync(path, notebookOf(cell, `{"deep": ${value}}`));
  write();
  expect((await notebook(["show", path])).stdout).toContain("[JSON, 10 KB, nested too deeply to be a value");
  expect((await notebookJson(["show", path])).document.status).toBe("ok");
  for (const command of [
    ["validate"],
    ["check"],
    ["text"],
    ["text", "--outputs", "500"],
    ["text", "--format", "percent"],
  ]) {
    expect([command, (await notebook([...command, path])).exitCode]).toEqual([command, 0]);
  }
  expect((await notebook(["insert", path, "-c", "x = 1"])).exitCode).toBe(0);
  expect((await notebookJson(["verify", path])).document.verified).toBe(false);
  expect((await notebookJson(["run", path])).document.status).toBe("ok");
});

describe("a parameter that is nested", () => {
  const path = join(folder, "parameters.ipynb");
  const run = (depth: number) => {
    writeFileSync(
      path,
      notebookOf(
        '{"cell_type": "code", "id": "a", "metadata": {}, "source": "print(str(p).count(chr(91)))", "execution_count": null, "outputs": []}',
        "{}",
      ),
    );
    return notebook(["run", path, "--param", `p=${"[".repeat(depth)}${"]".repeat(depth)}`]);
  };

  test("as deep as every Python can read arrives", async () => {
    expect((await run(90)).exitCode).toBe(0);
    expect((await notebook(["show", path])).stdout).toContain("| 90");
  });

  test.each([91, 3_000, 5_000, 100_000])("%d levels deep is refused in a sentence", async (depth) => {
    const { stderr, exitCode } = await run(depth);
    expect(stderr).toMatch(/nested more than \d+ levels deep/);
    expect(exitCode).toBeGreaterThan(1);
  });
});
