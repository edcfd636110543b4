import { describe, expect, test } from "vitest";
import type { NotebookEdit } from "../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../src/notebook/edit/edit-notebook.ts";
import { notebookBytes } from "../../src/notebook/notebook.ts";
import { cellText } from "../../src/notebook/text/cell-text.ts";
import { percentScript } from "../../src/notebook/text/percent/percent-script.ts";
import { withPercentScript } from "../../src/notebook/text/percent/write-percent-script.ts";
import { withCellText } from "../../src/notebook/text/write-cell-text.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { code, notebookOf, printed, sources } from "./notebooks.ts";

const strange = { cell_type: "heading", level: 2, metadata: {}, source: ["Title"] };
const notebook = notebookOf([code("x = 1", { outputs: [printed("1")] }), strange, code("y = 2")]);
const edited = (edit: NotebookEdit) => editNotebook(notebook, [edit]).notebook;
const strangeBytes = (of = notebook) => String(of.cells[1]?.json.text);

describe("a cell of an unknown type", () => {
  test("is read with its text, beside the others", () => {
    expect(notebook.cells.map(({ type }) => type)).toEqual(["code", "unknown", "code"]);
    expect(sources(notebook)).toEqual(["x = 1", "Title", "y = 2"]);
  });

  test.each<[string, NotebookEdit]>([
    ["edit", { action: "edit", cell: 2, content: "y = 3" }],
    ["insert", { action: "insert", at: 3, content: "z = 3" }],
    ["clear all", { action: "clear" }],
  ])("does not block changes of others, and keeps its bytes: %s", (_name, edit) => {
    const after = edited(edit);
    expect(notebookBytes(after)).not.toEqual(notebookBytes(notebook));
    expect(strangeBytes(after)).toBe(strangeBytes());
  });

  test.each<[string, NotebookEdit]>([
    ["edit", { action: "edit", cell: 1, content: "Other" }],
    ["replace", { action: "replace", cell: 1, old: "T", new: "t" }],
    ["split", { action: "split", cell: 1, line: 2 }],
    ["merge", { action: "merge", cell: 0, count: 2 }],
  ])("is not edited itself, and the error names the remedy: %s", (_name, edit) => {
    expect(() => edited(edit)).toThrow(
      'Cell 1 has the type "heading", which Granary cannot edit. Change its type to code, markdown or raw first, or delete it.',
    );
  });

  test("can be moved, deleted, and changed to a known type, which can be edited", () => {
    expect(sources(edited({ action: "move", cell: 1, to: 0 }))).toEqual(["Title", "x = 1", "y = 2"]);
    expect(sources(edited({ action: "delete", cell: 1 }))).toEqual(["x = 1", "y = 2"]);
    const typed = edited({ action: "type", cell: 1, cellType: "markdown" });
    const rewritten = editNotebook(typed, [{ action: "edit", cell: 1, content: "# Title" }]).notebook;
    expect(rewritten.cells[1]).toMatchObject({ type: "markdown", source: "# Title" });
  });

  test("stays unchanged in a round trip through cell text with edits of others", () => {
    const text = cellText(notebook);
    expect(text).toContain("# %% [unknown] cell:1\nTitle\n");
    expect(withCellText(notebook, text)).toBe(notebook);
    const after = withCellText(notebook, text.replace("y = 2", "y = 3"));
    expect([sources(after), strangeBytes(after)]).toEqual([["x = 1", "Title", "y = 3"], strangeBytes()]);
    expect(() => withCellText(notebook, text.replace("Title", "Other"))).toThrow("which Granary cannot edit");
    expect(() => withCellText(notebook, `${text}# %% [unknown]\nnew\n`)).toThrow("[unknown] marks a cell that");
  });

  test("stays unchanged in a round trip through a percent script", () => {
    const script = percentScript(notebook);
    expect(script).toContain("# %% [raw]\n# Title\n");
    expect(strangeBytes(withPercentScript(notebook, script.replace("y = 2", "y = 3")))).toBe(strangeBytes());
  });

  test("is the only problem that validation reports", () => {
    expect(validateNotebook(notebook)).toEqual([
      { at: "cells[1].cell_type", message: 'has to be "code", "markdown" or "raw"', cellIndex: 1 },
    ]);
  });
});
