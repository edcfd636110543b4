import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { editNotebook } from "../../src/notebook/edit/edit-notebook.ts";
import { withOutputs } from "../../src/notebook/edit/write-outputs.ts";
import { notebookBytes } from "../../src/notebook/notebook.ts";
import { asOutput } from "../../src/notebook/output.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { cellText } from "../../src/notebook/text/cell-text.ts";
import { withCellText } from "../../src/notebook/text/write-cell-text.ts";
import { isGranaryError } from "../../src/support/granary-error.ts";
import { environment } from "../environment/pythons.ts";
import { fixtures } from "../notebook/notebooks.ts";

describe("a notebook of another program keeps every byte when nothing is changed:", () => {
  for (const path of [...ourFixtures(), ...notebooksInSitePackages()]) {
    test(path.replace(/.*(site-packages|test)\//, ""), () => {
      const bytes = readFileSync(path);
      const notebook = readable(bytes);
      // Too old for us: it is refused, and so not changed either.
      if (notebook === null) return;
      const edits = notebook.cells.map(({ source }, cell) => ({ action: "edit" as const, cell, content: source }));
      expect(notebookBytes(editNotebook(notebook, edits).notebook).equals(bytes)).toBe(true);
      expect(notebookBytes(withCellText(notebook, cellText(notebook))).equals(bytes)).toBe(true);
      const rerun = notebook.cells.reduce((changed, cell, index) => {
        const outputs = cell.outputs.map(asOutput).filter((output) => output !== null);
        const isSame = cell.type === "code" && cell.json.has("outputs") && cell.json.has("execution_count");
        return isSame ? withOutputs(changed, index, { outputs, executionCount: cell.executionCount }) : changed;
      }, notebook);
      expect(notebookBytes(rerun).equals(bytes)).toBe(true);
    });
  }
});

function readable(bytes: Buffer) {
  try {
    return parseNotebook(bytes);
  } catch (error) {
    if (isGranaryError(error)) return null;
    throw error;
  }
}

function ourFixtures(): string[] {
  return fixtures.map((name) => new URL(`../notebook/fixtures/${name}.ipynb`, import.meta.url).pathname);
}

/** Of every package that the tests use. */
function notebooksInSitePackages(): string[] {
  return (["main", "plain"] as const).flatMap((name) => {
    const found = environment(name);
    if (!("python" in found)) return [];
    const library = join(dirname(dirname(found.python)), "lib");
    const files = readdirSync(library, { recursive: true, encoding: "utf8" });
    return files.filter((file) => file.endsWith(".ipynb")).map((file) => join(library, file));
  });
}
