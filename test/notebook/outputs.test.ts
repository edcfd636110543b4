import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withNotebookMetadata } from "../../src/notebook/edit/metadata.ts";
import { outputsDiffer, withOutputs } from "../../src/notebook/edit/write-outputs.ts";
import { splitLines } from "../../src/notebook/lines.ts";
import { type Notebook, notebookBytes, notebookMetadata } from "../../src/notebook/notebook.ts";
import { asOutput, type NotebookOutput } from "../../src/notebook/output.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { changedLines, code, fixture, fixtures, markdown, notebookOf, printed } from "./notebooks.ts";

const stream = (text: string): NotebookOutput => ({ output_type: "stream", name: "stdout", text });

describe("the results of a run", () => {
  test("are written into the cell, text as lines, with the rest of the file unchanged", () => {
    const bytes = fixture("jupyterlab-4.5");
    const notebook = withOutputs(parseNotebook(bytes), "a1b2c3d4", { outputs: [stream("é\n2")], executionCount: 7 });
    expect(changedLines(bytes, notebook)).toEqual({
      gone: [
        '   "execution_count": 1,',
        '   "id": "a1b2c3d4",',
        '   "metadata": {',
        '    "tags": [',
        '     "parameters"',
        "    ]",
        "   },",
        '   "outputs": [],',
      ],
      added: [
        '   "execution_count": 7,',
        '   "id": "a1b2c3d4",',
        '   "metadata": {',
        '    "tags": [',
        '     "parameters"',
        "    ]",
        "   },",
        '   "outputs": [',
        "    {",
        '     "name": "stdout",',
        '     "output_type": "stream",',
        '     "text": [',
        '      "é\\n",',
        '      "2"',
        "     ]",
        "    }",
        "   ],",
      ],
    });
  });

  test("follow the style of a file on one line, or with escaped characters", () => {
    const written = (name: string, index: number) =>
      notebookBytes(
        withOutputs(parseNotebook(fixture(name)), index, { outputs: [stream("é")], executionCount: 1 }),
      ).toString();
    expect(written("colab-one-line", 1)).toContain('"outputs":[{"output_type":"stream","name":"stdout","text":["é"]}]');
    expect(written("json-dump-4.1", 1)).toContain('[{"name": "stdout", "output_type": "stream", "text": ["\\u00e9"]}]');
  });

  test("have each kind of output in nbformat's form, without unknown members", () => {
    const outputs = [
      { output_type: "stream", name: "stderr", text: ["50%\r", "100%\n"] },
      {
        output_type: "display_data",
        data: {
          "image/svg+xml": "<svg>\n</svg>",
          "image/png": "aGk=\n",
          "application/json": { a: "1\n2" },
          "text/odd": { a: 1 },
        },
        metadata: {},
        transient: { display_id: "x" },
      },
      {
        output_type: "execute_result",
        data: { "text/plain": "1\n2" },
        metadata: { isolated: true },
        execution_count: 2,
      },
      { output_type: "error", ename: "E", evalue: "v", traceback: ["a\nb"] },
    ] as unknown as NotebookOutput[];
    const notebook = withOutputs(notebookOf([code("x")]), 0, { outputs, executionCount: 2 });
    expect(notebook.cells[0]?.outputs).toEqual([
      { output_type: "stream", name: "stderr", text: ["50%\r", "100%\n"] },
      {
        output_type: "display_data",
        data: {
          "image/svg+xml": ["<svg>\n", "</svg>"],
          "image/png": "aGk=\n",
          "application/json": { a: "1\n2" },
          "text/odd": ['{"a":1}'],
        },
        metadata: {},
      },
      {
        output_type: "execute_result",
        data: { "text/plain": ["1\n", "2"] },
        metadata: { isolated: true },
        execution_count: 2,
      },
      { output_type: "error", ename: "E", evalue: "v", traceback: ["a\nb"] },
    ]);
  });

  test("keep their bytes when they are the same as before, however they are split into lines", () => {
    for (const name of fixtures) {
      const notebook = parseNotebook(fixture(name));
      for (const [index, cell] of notebook.cells.entries()) {
        if (cell.type !== "code") continue;
        const outputs = cell.outputs.map(asOutput) as NotebookOutput[];
        expect(outputsDiffer(cell, outputs)).toBe(false);
        expect(withOutputs(notebook, index, { outputs, executionCount: cell.executionCount })).toBe(notebook);
      }
    }
  });

  test("differ when text, kind or number of outputs does", () => {
    const [cell] = notebookOf([code("x", { outputs: [printed("1\n")] })]).cells;
    const differs = (...outputs: NotebookOutput[]) => cell !== undefined && outputsDiffer(cell, outputs);
    expect(differs(stream("1\n"))).toBe(false);
    expect([differs(stream("2\n")), differs(), differs(stream("1\n"), stream("1\n"))]).toEqual([true, true, true]);
    expect(differs({ output_type: "error", ename: "E", evalue: "", traceback: [] })).toBe(true);
  });

  test("change only the named metadata", () => {
    const text =
      '{"cells": [{"cell_type": "code", "metadata": {"n": 1.0, "execution": {"a": "b"}, "z": 1e+20}}], "nbformat": 4}';
    const run = {
      outputs: [],
      executionCount: null,
      metadata: { execution: { "iopub.status.idle": "now" }, n: undefined },
    };
    const notebook = withOutputs(parseNotebook(Buffer.from(text)), 0, run);
    expect(notebookBytes(notebook).toString()).toContain(
      '"metadata": {"execution": {"iopub.status.idle": "now"}, "z": 1e+20}',
    );
  });

  test("belong to code only", () => {
    const writing = () => withOutputs(notebookOf([markdown("x")]), 0, { outputs: [], executionCount: null });
    expect(writing).toThrow("Cell 0 is a markdown cell, and only code has outputs.");
  });
});

describe("a notebook's own metadata", () => {
  const languageInfo = { language_info: { name: "python", version: "3.13.0" } };
  const patched = (text: string, patch: Parameters<typeof withNotebookMetadata>[1]): string =>
    notebookBytes(withNotebookMetadata(parseNotebook(Buffer.from(text)), patch)).toString();

  test("gets a new member in its place, and keeps the others' bytes", () => {
    expect(patched('{"cells": [], "metadata": {"a": 1.0, "z": 2}, "nbformat": 4}', { m: [1] })).toBe(
      '{"cells": [], "metadata": {"a": 1.0, "m": [1], "z": 2}, "nbformat": 4}',
    );
    expect(patched('{\n "cells": [],\n "metadata": {}\n}', languageInfo)).toBe(
      '{\n "cells": [],\n "metadata": {\n  "language_info": {\n   "name": "python",\n   "version": "3.13.0"\n  }\n }\n}',
    );
  });

  test("is made when it is missing", () => {
    expect(patched('{"cells": [], "nbformat": 4}', { a: 1 })).toBe(
      '{"cells": [], "metadata": {"a": 1}, "nbformat": 4}',
    );
  });

  test("stays unchanged when it is equal already", () => {
    const notebook = parseNotebook(fixture("vscode-4.2"));
    const same = withNotebookMetadata(notebook, { language_info: notebookMetadata(notebook).language_info });
    expect(same).toBe<Notebook>(notebook);
  });
});

test("text is split into lines that join to the same text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n", "\u2028", "\u0085", "\f"), maxLength: 12 }),
      (text) => {
        const lines = splitLines(text);
        expect(lines.join("")).toBe(text);
        expect(lines.every((line) => /^[^\n]*\n?$/.test(line) && line !== "")).toBe(true);
      },
    ),
  );
  expect(splitLines("a\r\nb\rc\u2028d\n\n")).toEqual(["a\r\n", "b\r", "c\u2028", "d\n", "\n"]);
});
