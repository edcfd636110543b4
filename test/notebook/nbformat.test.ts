import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editNotebook } from "../../src/notebook/edit/edit-notebook.ts";
import { upgradeNotebook } from "../../src/notebook/edit/upgrade.ts";
import { withOutputs } from "../../src/notebook/edit/write-outputs.ts";
import { newNotebook } from "../../src/notebook/new-notebook.ts";
import { type Notebook, notebookBytes } from "../../src/notebook/notebook.ts";
import type { NotebookOutput } from "../../src/notebook/output.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { withCellText } from "../../src/notebook/text/write-cell-text.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { isGranaryError } from "../../src/support/granary-error.ts";
import { anyEdit } from "./any-notebook.ts";
import { damaged, damages } from "./damages.ts";
import { fixture, fixtures } from "./notebooks.ts";
import { judgeEach, pythonWith } from "./python-nbformat.ts";

const python = pythonWith("nbformat");

describe.skipIf(python === null)("compared with Jupyter's nbformat", () => {
  test("both accept and refuse the same notebooks", () => {
    // One of each version from 4.0 on; their formatting makes no difference here.
    const versions = ["classic-4.0", "vscode-4.2", "windows-4.3", "vscode-indent2-4.4", "jupyterlab-4.5"];
    const cases = versions.flatMap((name) => damages.map(([path, value]) => ({ name, path, value })));
    const texts = cases.map(({ name, path, value }) => damaged(name, path, value));
    const theirs = verdicts(texts);
    const ours = texts.map((text) => validateNotebook(parseNotebook(Buffer.from(text))));
    const differing = cases.filter((_, index) => (theirs[index] === "") !== (ours[index]?.length === 0));
    expect(differing).toEqual([]);
    expect(new Set(theirs.map((complaint) => complaint === ""))).toEqual(new Set([true, false]));
  });

  test("any edits of a valid notebook leave a valid notebook", () => {
    const editing = fc.tuple(
      fc.constantFrom(...fixtures),
      fc.array(anyEdit(), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
    );
    const edited = fc.sample(editing, 150).map(([name, edits, isUpgraded]) => {
      const notebook = edits.reduce(applyIfPossible, parseNotebook(fixture(name)));
      return textOf(isUpgraded ? upgradeNotebook(notebook) : notebook);
    });
    expect(verdicts(edited).filter((verdict) => verdict !== "")).toEqual([]);
  });

  test("a new notebook equals nbformat's own", () => {
    const outputs: NotebookOutput[] = [
      { output_type: "stream", name: "stdout", text: "a\r\u2028b\n\nc" },
      {
        output_type: "display_data",
        data: { "text/html": "<b>\né", "image/png": "aGk=\n", "application/json": { b: [Number.NaN, 1.5, {}], a: [] } },
        metadata: {},
      },
      { output_type: "execute_result", data: {}, metadata: { x: { y: "\u001b" } }, execution_count: 3 },
      { output_type: "error", ename: "E", evalue: "", traceback: ["\u001b[31mx\ny"] },
    ];
    const text = "# %% [markdown]\n# Ünïcode 🌾\n\n# %% [code]\na\r\nb\n\n\n# %% [raw]\n";
    const notebook = withOutputs(withCellText(newNotebook(), text), 1, { outputs, executionCount: 3 });
    const [theirs] = judgeEach<string>(
      python as string,
      "import nbformat",
      "nbformat.writes(nbformat.reads(text, 4))",
      [textOf(notebook)],
    );
    expect(textOf(notebook)).toBe(`${theirs}\n`);
  });

  test("every notebook installed there survives being read", () => {
    const folder = join(dirname(dirname(python as string)), "lib");
    const installed = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ipynb"),
    );
    for (const name of installed) {
      const bytes = readFileSync(join(folder, name));
      try {
        expect(notebookBytes(parseNotebook(bytes)).equals(bytes)).toBe(true);
      } catch (error) {
        if (!isGranaryError(error)) throw error;
      }
    }
  });
});

/** For each notebook, nbformat's complaint; empty when it is valid. */
function verdicts(texts: readonly string[]): string[] {
  const setUp = [
    "import nbformat, nbformat.warnings",
    // It would invent a missing id instead of complaining.
    "warnings.simplefilter('error', nbformat.warnings.MissingIDFieldWarning)",
    "def complaint(text):",
    "    notebook = json.loads(text)",
    "    try:",
    "        nbformat.validate(notebook, relax_add_props=False)",
    "        return ''",
    "    except Exception as error:",
    "        return str(error)[:300] or repr(error)",
  ].join("\n");
  return judgeEach<string>(python as string, setUp, "complaint(text)", texts);
}

function applyIfPossible(notebook: Notebook, edit: Parameters<typeof editNotebook>[1][number]): Notebook {
  try {
    return editNotebook(notebook, [edit]).notebook;
  } catch (error) {
    if (isGranaryError(error)) return notebook;
    throw error;
  }
}

function textOf(notebook: Notebook): string {
  return notebookBytes(notebook)
    .toString()
    .replace(/^\ufeff/, "");
}
