import { describe, expect, test } from "vitest";
import { upgradeNotebook } from "../../src/notebook/edit/upgrade.ts";
import { newNotebook } from "../../src/notebook/new-notebook.ts";
import { nbformatMinor, notebookBytes } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { damaged } from "./damages.ts";
import { changedLines, code, fixture, fixtures, markdown, notebookOf } from "./notebooks.ts";

const problemsOf = (text: string) => validateNotebook(parseNotebook(Buffer.from(text)));

describe("validating", () => {
  test.each(fixtures)("accepts %s", (name) => {
    expect(validateNotebook(parseNotebook(fixture(name)))).toEqual([]);
  });

  test("accepts a new notebook", () => {
    expect(validateNotebook(newNotebook())).toEqual([]);
  });

  test.each([
    ["metadata", undefined, "metadata", "is missing"],
    ["extra", 1, "extra", "is not allowed here"],
    ["cells.0.id", undefined, "cells[0].id", "is missing"],
    ["cells.0.id", "a b", "cells[0].id", "has to be 1 to 64 letters, digits, hyphens and underscores"],
    ["cells.0.id", "empty", "cells[5].id", 'is "empty", also the id of cell 0'],
    ["cells.0.outputs", [], "cells[0].outputs", "is not allowed in a markdown cell"],
    ["cells.1.attachments", {}, "cells[1].attachments", "is not allowed in a code cell"],
    ["cells.1.execution_count", undefined, "cells[1].execution_count", "is missing"],
    ["cells.2.outputs.0.text", 1, "cells[2].outputs[0].text", "has to be text or a list of lines"],
    ["cells.3.outputs.0.transient", {}, "cells[3].outputs[0].transient", "is not allowed here"],
    ["cells.3.metadata.tags", "x", "cells[3].metadata.tags", "has to be a list of different texts without commas"],
  ])("names the place and the rule: %s = %j", (path, value, at, message) => {
    const [problem, ...more] = problemsOf(damaged("jupyterlab-4.5", path, value));
    expect(problem).toMatchObject({ at, message });
    expect(more).toEqual([]);
  });

  test("knows that ids came with 4.5", () => {
    expect(validateNotebook(notebookOf([code("", { id: "x" })], 4))).toEqual([
      { at: "cells[0].id", message: "is not allowed before nbformat 4.5, and this notebook is 4.4", cellIndex: 0 },
    ]);
  });
});

describe("upgrading", () => {
  test.each(fixtures)("%s to nbformat 4.5 makes ids and changes nothing else", (name) => {
    const bytes = fixture(name);
    let made = 0;
    const upgraded = upgradeNotebook(parseNotebook(bytes), { makeId: () => `made-${made++}` });
    expect(nbformatMinor(upgraded)).toBe(5);
    expect(validateNotebook(upgraded)).toEqual([]);
    expect(validateNotebook(parseNotebook(notebookBytes(upgraded)))).toEqual([]);
    const without = notebookBytes(upgraded)
      .toString()
      .replace(/"id": ?"made-\d+",?\s*/g, "")
      .replace(/("nbformat_minor"\s*:\s*)5/, "$1N");
    expect(without).toBe(bytes.toString().replace(/("nbformat_minor"\s*:\s*)\d/, "$1N"));
  });

  test("adds an id at nbformat's place", () => {
    const bytes = notebookBytes(notebookOf([markdown("x")]));
    const upgraded = upgradeNotebook(parseNotebook(bytes), { makeId: () => "made" });
    expect(changedLines(bytes, upgraded).added[0]).toBe('   "id": "made",');
  });

  test("replaces invalid and duplicate ids, and keeps the good ones", () => {
    const notebook = notebookOf(
      [code("", { id: "a" }), code("", { id: "a" }), code("", { id: "b c" }), code("", { id: "d" })],
      5,
    );
    const ids = ["d", "e", "f"];
    const upgraded = upgradeNotebook(notebook, { makeId: () => ids.shift() as string });
    expect(upgraded.cells.map(({ id }) => id)).toEqual(["a", "e", "f", "d"]);
  });

  test("leaves a valid notebook unchanged", () => {
    const notebook = parseNotebook(fixture("jupyterlab-4.5"));
    expect(upgradeNotebook(notebook)).toBe(notebook);
  });
});
