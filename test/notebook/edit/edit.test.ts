import { describe, expect, test } from "vitest";
import type { NotebookCell } from "../../../src/notebook/cell.ts";
import type { NotebookEdit } from "../../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../../src/notebook/edit/edit-notebook.ts";
import { newNotebook } from "../../../src/notebook/new-notebook.ts";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { parseNotebook } from "../../../src/notebook/parse/parse-notebook.ts";
import { cellText } from "../../../src/notebook/text/cell-text.ts";
import { withCellText } from "../../../src/notebook/text/write-cell-text.ts";
import { validateNotebook } from "../../../src/notebook/validate/validate-notebook.ts";
import type { JsonValue } from "../../../src/support/json/value.ts";
import { changedLines, code, fixture, markdown, notebookOf, printed, sources } from "../notebooks.ts";

const makeId = () => "new";
const edit = (notebook: Notebook, ...edits: NotebookEdit[]) => editNotebook(notebook, edits, { makeId });
const abc = notebookOf([code("a", { execution_count: 1, outputs: [printed("1\n")] }), markdown("b"), code("c")]);

describe("edit", () => {
  test("replaces the source and returns the cell's new state", () => {
    const { notebook, details } = edit(abc, { action: "edit", cell: 1, content: "B\nB" });
    expect(sources(notebook)).toEqual(["a", "B\nB", "c"]);
    expect(details).toEqual([
      {
        action: "edit",
        cellIndex: 1,
        cellType: "markdown",
        cellId: null,
        totalCells: 3,
        cellSource: "B\nB",
        changed: true,
        outputsAreStale: false,
      },
    ]);
  });

  test("changes only the lines of the source, in the file's own style", () => {
    const changes = (name: string) => {
      const bytes = fixture(name);
      return changedLines(bytes, edit(parseNotebook(bytes), { action: "edit", cell: 0, content: "é\n2" }).notebook);
    };
    const old = ['"# Weather\\n",', '"\\n",', '"Temperatures in °C, see `data/`."'];
    expect(changes("jupyterlab-4.5")).toEqual({
      gone: old.map((line) => `    ${line}`),
      added: ['    "é\\n",', '    "2"'],
    });
    expect(changes("colab")).toEqual({
      gone: old.map((line) => `        ${line}`),
      added: ['        "é\\n",', '        "2"'],
    });
    expect(changes("windows-4.3")).toEqual({
      gone: old.map((line) => `\t\t\t\t${line}\r`),
      added: ['\t\t\t\t"é\\n",\r', '\t\t\t\t"2"\r'],
    });
    expect(changes("json-dump-indent4-4.1").added).toEqual(['            "source": "\\u00e9\\n2"']);
    expect(changes("colab-one-line").added[0]).toContain('"source":["é\\n","2"]}');
  });

  test("keeps outputs unless told to clear them, and reports stale ones", () => {
    const kept = edit(abc, { action: "edit", cell: 0, content: "A" });
    expect(kept.notebook.cells[0]).toMatchObject({ executionCount: 1, hasOutputs: true });
    expect(kept.details[0]?.outputsAreStale).toBe(true);
    const cleared = edit(abc, { action: "edit", cell: 0, content: "A", outputs: "clear" });
    expect(cleared.notebook.cells[0]).toMatchObject({ executionCount: null, hasOutputs: false });
    expect(cleared.details[0]?.outputsAreStale).toBe(false);
  });

  test("changes nothing when the source is the same", () => {
    const { notebook, details } = edit(abc, { action: "edit", cell: 0, content: "a", outputs: "clear" });
    expect(notebook).toBe(abc);
    expect(details[0]?.outputsAreStale).toBe(false);
  });

  describe("of a Markdown or raw cell with outputs, which is invalid, removes them", () => {
    const malformed = (cell_type: string): JsonValue => ({
      cell_type,
      execution_count: 3,
      metadata: { tags: ["t"] },
      outputs: [printed("1\n")],
      source: ["old\n", "text"],
    });
    const notebook = notebookOf([malformed("markdown"), malformed("raw"), code("c")]);

    test.each<[cell: number, edit: NotebookEdit]>([
      [0, { action: "edit", cell: 0, content: "new" }],
      [0, { action: "edit", cell: 0, content: "new", outputs: "clear" }],
      [1, { action: "replace", cell: 1, old: "old", new: "new" }],
      [0, { action: "split", cell: 0, line: 2 }],
      [1, { action: "clear", cell: 1 }],
      [0, { action: "clear" }],
      [1, { action: "type", cell: 1, cellType: "markdown" }],
    ])("cell %i: %j", (cell, action) => {
      const { notebook: edited, details } = edit(notebook, action);
      const { json, tags } = edited.cells[cell] as NotebookCell;
      expect([json.has("outputs"), json.has("execution_count"), tags]).toEqual([false, false, ["t"]]);
      expect(details[0]?.outputsAreStale).toBe(false);
    });

    test("the same happens in cell text, and a cell that is not edited keeps every byte", () => {
      const text = cellText(notebook).replace("old\ntext\n# %% [raw]", "new\n# %% [raw]");
      const [markdown, raw] = withCellText(notebook, text).cells;
      expect([markdown?.json.has("outputs"), markdown?.json.has("execution_count")]).toEqual([false, false]);
      expect(markdown?.source).toBe("new");
      expect(raw).toBe(notebook.cells[1]);
    });
  });

  test("finds a cell by its id", () => {
    const { notebook } = edit(parseNotebook(fixture("jupyterlab-4.5")), {
      action: "edit",
      cell: "raw_1",
      content: "x",
    });
    expect(notebook.cells[4]?.source).toBe("x");
  });
});

describe("insert", () => {
  test("makes a code cell by default, at any place including the end", () => {
    expect(sources(edit(abc, { action: "insert", at: 0, content: "x" }).notebook)).toEqual(["x", "a", "b", "c"]);
    expect(sources(edit(abc, { action: "insert", at: 3, content: "x" }).notebook)).toEqual(["a", "b", "c", "x"]);
    const { notebook, details } = edit(abc, { action: "insert", content: "x" });
    expect(details[0]).toMatchObject({ cellIndex: 3, cellType: "code", totalCells: 4, cellSource: "x" });
    expect(notebook.cells[3]?.json.get("outputs")).toEqual([]);
    expect(notebook.cells[3]?.json.get("execution_count")).toBeNull();
  });

  test("gives a Markdown cell only its allowed members", () => {
    const { notebook } = edit(abc, { action: "insert", at: 1, content: "", cellType: "markdown" });
    expect(notebook.cells[1]?.json.keys).toEqual(["cell_type", "metadata", "source"]);
  });

  test("goes before or after a named cell", () => {
    const notebook = parseNotebook(fixture("jupyterlab-4.5"));
    const details = [
      edit(notebook, { action: "insert", before: "a1b2c3d4", content: "x" }).details[0],
      edit(notebook, { action: "insert", after: "a1b2c3d4", content: "x" }).details[0],
    ];
    expect(details).toMatchObject([
      { cellIndex: 1, cellId: "new" },
      { cellIndex: 2, cellId: "new" },
    ]);
  });

  test("gives ids from nbformat 4.5 on, never a duplicate", () => {
    const ids = ["title", "empty", "mine"];
    const inserted = editNotebook(parseNotebook(fixture("jupyterlab-4.5")), [{ action: "insert", content: "" }], {
      makeId: () => ids.shift() as string,
    });
    expect(inserted.details[0]?.cellId).toBe("mine");
    expect(edit(abc, { action: "insert", content: "" }).details[0]?.cellId).toBeNull();
  });

  test("writes the cell in the style of its neighbours", () => {
    const inserted = (name: string) => {
      const bytes = fixture(name);
      const { notebook } = edit(parseNotebook(bytes), { action: "insert", at: 6, content: "x" });
      return changedLines(bytes, notebook).added.join("\n");
    };
    expect(inserted("jupyterlab-4.5")).toBe(
      '  },\n  {\n   "cell_type": "code",\n   "execution_count": null,\n   "id": "new",\n   "metadata": {},\n   "outputs": [],\n   "source": [\n    "x"\n   ]',
    );
    expect(inserted("colab")).toBe(
      '    },\n    {\n      "cell_type": "code",\n      "metadata": {},\n      "source": [\n        "x"\n      ],\n      "execution_count": null,\n      "outputs": []',
    );
    expect(inserted("colab-one-line")).toContain(
      ',{"cell_type":"code","metadata":{},"source":["x"],"execution_count":null,"outputs":[]}]}',
    );
  });

  test("into an empty notebook equals nbformat's own output", () => {
    const { notebook } = edit(newNotebook(), { action: "insert", content: "print('é')\n1", cellType: "raw" });
    expect(notebookBytes(notebook).toString()).toBe(
      '{\n "cells": [\n  {\n   "cell_type": "raw",\n   "id": "new",\n   "metadata": {},\n   "source": [\n    "print(\'é\')\\n",\n    "1"\n   ]\n  }\n ],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n',
    );
  });
});

describe("delete and move", () => {
  test("delete returns the deleted source", () => {
    const { notebook, details } = edit(abc, { action: "delete", cell: 0 });
    expect(sources(notebook)).toEqual(["b", "c"]);
    expect(details[0]).toMatchObject({
      action: "delete",
      cellIndex: 0,
      cellType: "code",
      totalCells: 2,
      cellSource: "a",
    });
  });

  test("deleting all cells leaves an empty list, and inserting again works", () => {
    const all: NotebookEdit[] = [0, 0, 0].map((cell) => ({ action: "delete", cell }));
    const { notebook } = edit(abc, ...all);
    expect(notebookBytes(notebook).toString()).toBe(
      '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 4\n}\n',
    );
    expect(sources(edit(notebook, { action: "insert", content: "x" }).notebook)).toEqual(["x"]);
  });

  test("a moved cell is at its new place", () => {
    const moved = edit(abc, { action: "move", cell: 0, to: 2 });
    expect(sources(moved.notebook)).toEqual(["b", "c", "a"]);
    expect(moved.details[0]).toMatchObject({ cellIndex: 2, cellSource: "a" });
    expect(notebookBytes(edit(moved.notebook, { action: "move", cell: 2, to: 0 }).notebook)).toEqual(
      notebookBytes(abc),
    );
  });
});

describe("replace", () => {
  const notebook = notebookOf([code("x = 1\ny = x\n")]);

  test("replaces a text that occurs once, or all on request", () => {
    expect(edit(notebook, { action: "replace", cell: 0, old: "= 1", new: "= $&" }).details[0]?.cellSource).toBe(
      "x = $&\ny = x\n",
    );
    expect(edit(notebook, { action: "replace", cell: 0, old: "x", new: "z", all: true }).details[0]?.cellSource).toBe(
      "z = 1\ny = z\n",
    );
  });
});

describe("type, clear, split, merge", () => {
  test("type adds and removes the members of the type", () => {
    const { notebook } = edit(
      abc,
      { action: "type", cell: 0, cellType: "raw" },
      { action: "type", cell: 1, cellType: "code" },
    );
    expect(notebook.cells[0]?.json.keys).toEqual(["cell_type", "metadata", "source"]);
    expect(notebook.cells[1]?.json.keys).toEqual(["cell_type", "execution_count", "metadata", "outputs", "source"]);
    expect(validateNotebook(notebook)).toEqual([]);
  });

  test("clear empties one cell or all", () => {
    for (const action of [{ action: "clear", cell: 0 }, { action: "clear" }] as const) {
      const { notebook } = edit(abc, action);
      expect(notebook.cells[0]).toMatchObject({ executionCount: null, hasOutputs: false, source: "a" });
      expect(notebook.cells[2]).toBe(abc.cells[2]);
    }
  });

  test("split cuts before a line, and merge undoes it", () => {
    const whole = notebookOf([code("a\nb\nc", { metadata: { tags: ["t"] } })]);
    const { notebook } = edit(whole, { action: "split", cell: 0, line: 2 });
    expect(sources(notebook)).toEqual(["a", "b\nc"]);
    expect(notebook.cells.map(({ metadata }) => metadata)).toEqual([{ tags: ["t"] }, {}]);
    const again = edit(notebook, { action: "merge", cell: 0 });
    expect(sources(again.notebook)).toEqual(["a\nb\nc"]);
    expect(again.details[0]).toMatchObject({ cellIndex: 0, totalCells: 1 });
  });

  test("neither a split nor a merged cell keeps outputs, because it did not print them", () => {
    const printing = notebookOf([code("a\nb", { outputs: [printed("1")], execution_count: 1 }), code("c")]);
    expect(edit(printing, { action: "split", cell: 0, line: 2 }).notebook.cells[0]?.hasOutputs).toBe(false);
    expect(edit(printing, { action: "merge", cell: 0 }).notebook.cells[0]?.hasOutputs).toBe(false);
  });
});

describe("an impossible edit says why, each in its own words", () => {
  const notebook = notebookOf([code("x x"), markdown("one line"), markdown("m", { attachments: {} })]);
  const untyped = (edit: object) => edit as NotebookEdit;
  test.each<[NotebookEdit, string, string]>([
    [
      { action: "delete", cell: 3 },
      "index-out-of-range",
      "There is no cell 3: cells count from 0, and the last is cell 2.",
    ],
    [
      { action: "edit", cell: -1, content: "" },
      "index-out-of-range",
      "There is no cell -1: cells count from 0, and the last is cell 2.",
    ],
    [
      { action: "edit", cell: 0.5, content: "" },
      "index-out-of-range",
      "There is no cell 0.5: cells count from 0, and the last is cell 2.",
    ],
    [{ action: "insert", at: 4, content: "" }, "index-out-of-range", "A cell cannot be inserted at 4: use 0 to 3."],
    [
      { action: "move", cell: 0, to: 3 },
      "index-out-of-range",
      "There is no cell 3: cells count from 0, and the last is cell 2.",
    ],
    [{ action: "delete", cell: "abc" }, "unknown-id", 'No cell has the id "abc". Its cells have no ids; use an index.'],
    [untyped({ action: "edit", cell: 0 }), "missing-content", '"edit" needs "content", the cell\'s new source.'],
    [untyped({ action: "insert", at: 0 }), "missing-content", '"insert" needs "content", the cell\'s new source.'],
    [{ action: "replace", cell: 0, old: "", new: "y" }, "missing-content", '"replace" needs "old"'],
    [{ action: "replace", cell: 0, old: "y", new: "" }, "text-not-found", "Cell 0 does not contain that text."],
    [{ action: "replace", cell: 0, old: "x", new: "y" }, "text-ambiguous", "Cell 0 contains that text 2 times."],
    [
      { action: "split", cell: 1, line: 2 },
      "cannot-split",
      "Cell 1 cannot be split before line 2: it has only one line.",
    ],
    [{ action: "merge", cell: 2 }, "cannot-merge", "Cell 2 cannot be merged: there are only 0 cells after it."],
    [
      { action: "merge", cell: 0 },
      "cannot-merge",
      "Cell 0 cannot be merged: cell 1 has another type; change it first.",
    ],
    [{ action: "merge", cell: 1 }, "cannot-merge", "cell 2 has attachments, which would be lost."],
    [
      untyped({ action: "type", cell: 0, cellType: "heading" }),
      "invalid-cell-type",
      'There is no cell type "heading". Use one of: code, markdown, raw.',
    ],
    [
      untyped({ action: "run", cell: 0 }),
      "invalid-action",
      'There is no action "run". Use one of: edit, insert, delete,',
    ],
  ])("%j", (action, code, message) => {
    expect(() => edit(notebook, action)).toThrow(expect.objectContaining({ code }));
    expect(() => edit(notebook, action)).toThrow(message);
  });

  test("in an empty notebook as well", () => {
    expect(() => edit(newNotebook(), { action: "delete", cell: 0 })).toThrow(
      "There is no cell 0: the notebook has no cells.",
    );
    expect(() => edit(newNotebook(), { action: "insert", at: 1, content: "" })).toThrow(
      "the notebook is empty, so use 0",
    );
  });

  test("when two cells have the same id", () => {
    const twins = notebookOf([code("a", { id: "t" }), code("b", { id: "t" })], 5);
    expect(() => edit(twins, { action: "delete", cell: "t" })).toThrow(
      'Cells 0 and 1 both have the id "t". Use an index instead.',
    );
    expect(() => edit(twins, { action: "delete", cell: "u" })).toThrow(
      "Look them up in the notebook, or use an index.",
    );
  });
});
