import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { NotebookEdit } from "../../../src/notebook/edit/edit-action.ts";
import { type Edited, editNotebook } from "../../../src/notebook/edit/edit-notebook.ts";
import { LargeScan } from "../../../src/notebook/file/large/large-scan.ts";
import { NeedsWholeFile } from "../../../src/notebook/file/large/needs-whole-file.ts";
import { contentParts, isUnchanged, newContent } from "../../../src/notebook/file/large/new-content.ts";
import { readWindows } from "../../../src/notebook/file/large/windows.ts";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { parseNotebook } from "../../../src/notebook/parse/parse-notebook.ts";
import { isGranaryError } from "../../../src/support/granary-error.ts";
import { JsonScanner } from "../../../src/support/json/scanner.ts";
import { repetitions } from "../../environment/variants.ts";
import { anyEdit, anyNotebook } from "../any-notebook.ts";
import { anyByteDamage, withDamage } from "../byte-damage.ts";
import { fixture, fixtures } from "../notebooks.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const anyPartBytes = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 6000 }));
/** Long enough for the comparison of eight bytes at a time. */
const padding = Buffer.alloc(5000, " ");

describe("a notebook that is read in parts", () => {
  test("gives the same bytes and details as the whole file in memory, for any borders and any edits", async () => {
    const file = fc.tuple(anyNotebook(), fc.boolean());
    const anyEdits = fc.array(anyEdit(), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(file, anyEdits, anyPartBytes, async ([notebook, isPadded], edits, partBytes) => {
        const bytes = isPadded ? Buffer.concat([notebook, padding]) : notebook;
        expect(await editedInParts(bytes, edits, partBytes)).toEqual(editedWhole(bytes, edits));
      }),
      { numRuns: repetitions(300) },
    );
  });

  test("gives the same for any damage, or leaves the file to the parser", async () => {
    const edits: readonly NotebookEdit[] = [{ action: "insert", at: 0, content: "é" }];
    await fc.assert(
      fc.asyncProperty(anyNotebook(), anyByteDamage(), anyPartBytes, async (notebook, damage, partBytes) => {
        const bytes = withDamage(notebook, damage);
        const expected = isUsual(bytes) ? editedWhole(bytes, edits) : "needs the whole file";
        expect(await editedInParts(bytes, edits, partBytes)).toEqual(expected);
      }),
      { numRuns: repetitions(300) },
    );
  });

  test.each(fixtures)("gives the same for %s with borders everywhere", async (name) => {
    const bytes = fixture(name);
    const edits: readonly NotebookEdit[] = [
      { action: "edit", cell: 1, content: "é = 1\nx", outputs: "clear" },
      { action: "insert", at: 1, content: "ü" },
      { action: "move", cell: 0, to: 2 },
    ];
    for (const partBytes of [1, 2, 3, 7, 100, bytes.length - 1, bytes.length]) {
      expect(await editedInParts(bytes, edits, partBytes)).toEqual(editedWhole(bytes, edits));
    }
  });

  test("escapes characters beyond ASCII where the file does, however far away", async () => {
    const escaped = notebookOf("a", "b").replace('"b"', '"\\u00e9"');
    for (const text of [escaped, escaped.replace('"a"', '"é"'), escaped.replace("{}", '{"é":1}')]) {
      const edits = [{ action: "edit", cell: 0, content: "ü" }] as const;
      expect(await editedInParts(Buffer.from(text), edits, 9)).toEqual(editedWhole(Buffer.from(text), edits));
    }
  });

  test("counts as unchanged when edits leave the bytes as they were, even of new cells or in another order", async () => {
    const there = { action: "edit", cell: 0, content: "b" } as const;
    const back = { action: "edit", cell: 0, content: "a" } as const;
    const swap = { action: "move", cell: 0, to: 1 } as const;
    expect(await editedInParts(Buffer.from(notebookOf("a", "c")), [there, back], 10)).toMatchObject({ same: true });
    expect(await editedInParts(Buffer.from(notebookOf("a", "a")), [swap], 10)).toMatchObject({ same: true });
    expect(await editedInParts(Buffer.from(notebookOf("a", "b")), [swap], 10)).toMatchObject({ same: false });
  });

  const usual = notebookOf("a");
  test.each([
    ["has two lists of cells", usual.replace("{", '{"cells":[],')],
    ["has another list of cells at its end", usual.replace(/}$/, ',"cells":[]}')],
    ["has cells that are not a list", '{"cells":{},"nbformat":4}'],
    ["has a cell that is not an object", usual.replace("[{", "[12,{")],
    ["has a cell without a type", usual.replace("cell_type", "type")],
    ["is of an old version", usual.replace('"nbformat":4', '"nbformat":3')],
    ["is of a newer version", usual.replace('"nbformat":4', '"nbformat":5')],
    ["continues after its end", `${usual} {}`],
    ["ends too early", usual.slice(0, -1)],
    ["is not an object", "[]"],
    ["has a cell that is not UTF-8", Buffer.from(usual.replace('"a"', '"\xff"'), "latin1")],
    ["has metadata that are not UTF-8", Buffer.from(usual.replace('{},"nbf', '{"\xff":1},"nbf'), "latin1")],
  ])("is left to the parser when it %s", async (_, content) => {
    for (const partBytes of [1, 16, 1000])
      expect(await editedInParts(Buffer.from(content), [], partBytes)).toBe("needs the whole file");
  });

  test("is not scanned again for each part of one very long cell", async () => {
    const bytes = Buffer.from(notebookOf("x".repeat(1_000_000)));
    const read = vi.spyOn(JsonScanner.prototype, "readArray");
    try {
      await whileOpen(bytes, (file) => scanned(file, bytes.length, 1000));
      expect(read.mock.calls.length).toBeLessThan(16);
    } finally {
      read.mockRestore();
    }
  });

  test("is left to the parser when a cell is longer than a few parts", async () => {
    const bytes = Buffer.from(notebookOf("x".repeat(9_000_000)));
    expect(await editedInParts(bytes, [], 1_000_000)).toBe("needs the whole file");
  });

  test("that was truncated since is left to the parser", async () => {
    const bytes = Buffer.from(notebookOf("a", "b"));
    await whileOpen(bytes, async (file) => {
      const notebook = await scanned(file, bytes.length, 20);
      await writeFile(join(folder, "a.ipynb"), "");
      expect(() => notebook.cells[0]?.json).toThrow(NeedsWholeFile);
      const copied = copiedParts(file, notebook, notebook, 20);
      await expect(copied).rejects.toThrow(NeedsWholeFile);
    });
  });
});

type Outcome =
  | { readonly bytes: string; readonly same: boolean; readonly details: Edited["details"] }
  | object
  | string;

function editedWhole(bytes: Buffer, edits: readonly NotebookEdit[]): Outcome {
  const notebook = parseNotebook(bytes);
  return outcomeOf(notebook, edits, (edited) => {
    const after = notebookBytes(edited);
    return { bytes: String(after), same: after.equals(bytes) };
  });
}

async function editedInParts(bytes: Buffer, edits: readonly NotebookEdit[], partBytes: number): Promise<Outcome> {
  return whileOpen(bytes, async (file) => {
    const notebook = await scanned(file, bytes.length, partBytes).catch(() => null);
    if (notebook === null) return "needs the whole file";
    let edited = notebook;
    const outcome = outcomeOf(notebook, edits, (result) => {
      edited = result;
      return { same: isUnchanged(result, notebook) };
    });
    const copied = String(await copiedParts(file, edited, notebook, partBytes));
    return "same" in (outcome as object) ? { ...(outcome as object), bytes: copied } : outcome;
  });
}

async function copiedParts(file: FileHandle, edited: Notebook, original: Notebook, partBytes: number): Promise<Buffer> {
  const copied: Buffer[] = [];
  // A part is valid until the next one.
  for await (const part of contentParts(file, newContent(edited, original), Buffer.alloc(4 * partBytes)))
    copied.push(Buffer.from(part));
  return Buffer.concat(copied);
}

function outcomeOf(notebook: Notebook, edits: readonly NotebookEdit[], use: (edited: Notebook) => object): Outcome {
  try {
    let made = 0;
    const edited = editNotebook(notebook, edits, { makeId: () => `new-${made++}` });
    return { ...use(edited.notebook), details: edited.details };
  } catch (error) {
    if (!isGranaryError(error)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

async function scanned(file: FileHandle, size: number, partBytes: number): Promise<Notebook> {
  const scan = new LargeScan(file);
  await readWindows(file, { size, memory: Buffer.alloc(4 * partBytes) }, (...window) => scan.advance(...window));
  return scan.notebook();
}

async function whileOpen<T>(bytes: Buffer, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const path = join(folder, "a.ipynb");
  await writeFile(path, bytes);
  await using file = await open(path);
  return await use(file);
}

/** Whether the parser accepts a notebook, as nbformat 4 with one list of cells. */
function isUsual(bytes: Buffer): boolean {
  try {
    const { frame, upgradedFrom } = parseNotebook(bytes);
    return upgradedFrom === undefined && frame.keys.filter((key) => key === "cells").length === 1;
  } catch {
    return false;
  }
}

function notebookOf(...sources: readonly string[]): string {
  const cells = sources.map((source) => ({ cell_type: "raw", metadata: {}, source }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
}
