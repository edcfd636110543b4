import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NotebookCell } from "../../../src/notebook/cell.ts";
import { editNotebook } from "../../../src/notebook/edit/edit-notebook.ts";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { parseNotebook } from "../../../src/notebook/parse/parse-notebook.ts";
import { isGranaryError } from "../../../src/support/granary-error.ts";
import { parseSpan } from "../../../src/support/json/parse.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyEdit, anyNotebook } from "../any-notebook.ts";
import { applyToModel, type ModelNotebook, withJoinedSources } from "./model.ts";

describe("any notebook in any formatting", () => {
  test("comes back byte for byte without an edit", () => {
    fc.assert(
      fc.property(anyNotebook(), (bytes) => {
        expect(notebookBytes(parseNotebook(bytes)).equals(bytes)).toBe(true);
      }),
      { numRuns: repetitions(200) },
    );
  });

  test("after any edits equals the same edits of the parsed JSON, and keeps all other bytes", () => {
    fc.assert(
      fc.property(anyNotebook(), fc.array(anyEdit(), { minLength: 1, maxLength: 6 }), (bytes, edits) => {
        let notebook = parseNotebook(bytes);
        const model = modelOf(bytes);
        for (const [step, edit] of edits.entries()) {
          const newId = () => `new-${step}`;
          const before = notebook;
          try {
            notebook = editNotebook(notebook, [edit], { makeId: newId }).notebook;
          } catch (error) {
            if (isGranaryError(error)) continue;
            throw error;
          }
          applyToModel(model, edit, newId);
          expectSameBytesElsewhere(before, notebook);
        }
        const written = notebookBytes(notebook);
        expect(withJoinedSources(modelOf(written))).toEqual(withJoinedSources(model));
        // The written text is read back as the same parts: nothing slipped from one into another.
        const again = parseNotebook(written);
        expect(textsOf(again)).toEqual(textsOf(notebook));
        expect(again.frame.text.equals(notebook.frame.text)).toBe(true);
      }),
      { numRuns: repetitions(300) },
    );
  });

  test("stays unchanged when one of several edits fails", () => {
    const notebook = parseNotebook(Buffer.from('{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}'));
    const edits = [
      { action: "insert", content: "x" },
      { action: "delete", cell: 1 },
    ] as const;
    expect(() => editNotebook(notebook, edits)).toThrow(
      "Edit 2 of 2 failed, so none was applied: There is no cell 1: cells count from 0, and the last is cell 0.",
    );
    expect(notebook.cells).toEqual([]);
  });
});

/** Everything but the cells: equal bytes. An unchanged cell: equal bytes. A changed cell: equal bytes in its other members. */
function expectSameBytesElsewhere(before: Notebook, after: Notebook): void {
  expect(after.frame).toBe(before.frame);
  expect(after.before).toBe(before.before);
  expect(after.after).toBe(before.after);
  const old = new Set(before.cells);
  const gone = before.cells.filter((cell) => !after.cells.includes(cell));
  for (const cell of after.cells) {
    if (old.has(cell)) continue;
    const origin = gone.find(({ id, json }) => (id !== null ? id === cell.id : sameMetadata(json, cell.json)));
    if (origin !== undefined) expectSameMembers(origin, cell);
  }
}

function sameMetadata(one: NotebookCell["json"], other: NotebookCell["json"]): boolean {
  return memberText(one, "metadata") === memberText(other, "metadata");
}

function expectSameMembers(before: NotebookCell, after: NotebookCell): void {
  const touched = new Set(["source", "cell_type", "outputs", "execution_count", "attachments"]);
  for (const key of before.json.keys) {
    if (!touched.has(key)) expect(memberText(after.json, key)).toBe(memberText(before.json, key));
  }
}

function memberText(object: NotebookCell["json"], key: string): string {
  const span = object.spanOf(key);
  return span === null ? "" : object.bytes.toString("latin1", span.keyStart, span.valueEnd);
}

function modelOf(bytes: Buffer): ModelNotebook {
  const start = bytes.indexOf("{");
  return parseSpan(bytes, start, bytes.lastIndexOf("}") + 1) as unknown as ModelNotebook;
}

function textsOf(notebook: Notebook): string[] {
  return notebook.cells.map((cell) => cell.json.text.toString("latin1"));
}
