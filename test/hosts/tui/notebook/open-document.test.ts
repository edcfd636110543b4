import { expect, test } from "vitest";
import { OpenDocument } from "../../../../src/hosts/tui/notebook/document/open-document.ts";
import { notebookFile, readCells } from "../../../execute/notebook-runs.ts";

const printed = (text: string) => ({
  outputs: [{ output_type: "stream", name: "stdout", text } as const],
  executionCount: 1,
});
const sourcesOf = (document: OpenDocument) => document.cells.map(({ source }) => source);

test("undo keeps the outputs since the edit", async () => {
  const document = await OpenDocument.open(notebookFile(["a", "b"]));
  const [first = 0, second = 0] = document.keys;
  document.remove(second);
  document.keepRun(first, printed("new"));
  expect(document.undo()).toBe(true);
  expect(sourcesOf(document)).toEqual(["a", "b"]);
  expect(document.cells[0]).toMatchObject({ executionCount: 1, hasOutputs: true });
  expect(document.undo()).toBe(false);
});

test("a cell keeps its key when it moves", async () => {
  const document = await OpenDocument.open(notebookFile(["a", "b", "c"]));
  const [first = 0] = document.keys;
  document.move(first, 2);
  document.insert(0, "markdown", "# new");
  expect(document.indexOf(first)).toBe(3);
  document.keepRun(first, printed("still mine"));
  expect(document.cell(first)?.hasOutputs).toBe(true);
  document.remove(first);
  document.keepRun(first, printed("nobody's"));
  expect(document.indexOf(first)).toBe(-1);
});

test("edits made during a save are kept", async () => {
  const path = notebookFile(["a"]);
  const document = await OpenDocument.open(path);
  const [first = 0] = document.keys;
  document.rewrite(first, "b", { before: "a", place: 0 });
  const saved = document.save();
  // The save has begun by then, and writing a file is asynchronous.
  await Promise.resolve();
  await Promise.resolve();
  document.insert(1, "code", "later");
  await saved;
  expect(readCells(path).map(({ source }) => source)).toEqual(["b"]);
  expect(sourcesOf(document)).toEqual(["b", "later"]);
  expect(document.hasUnsaved).toBe(true);
  await document.save();
  expect(readCells(path)).toHaveLength(2);
  expect(document.hasUnsaved).toBe(false);
});
