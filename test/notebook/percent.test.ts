import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newNotebook } from "../../src/notebook/new-notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { parsePercentScript } from "../../src/notebook/text/percent/parse-percent-script.ts";
import { percentScript } from "../../src/notebook/text/percent/percent-script.ts";
import { withPercentScript } from "../../src/notebook/text/percent/write-percent-script.ts";
import { code, fixture, fixtures, markdown, notebookOf, printed, sources } from "./notebooks.ts";
import { judgeEach, pythonWith } from "./python-nbformat.ts";

/** Sources that a percent script can hold. */
const ordinary = [
  "x = 1\n\n\ndef f():\n    return 1",
  "%matplotlib inline\n!ls -l\nx?\n# %time is a magic\nfiles = !ls",
  "if x:\n    %time y\n    # !ls",
  "%%bash -s 1\necho 1\n\n# c\n!x",
  "%%time\n!ls\nx",
  "print('''\n# %%\n!not a command\n''')",
  "s = \"it's\"  # '''\n!ls",
  "",
  "a % b\n# plain comment\nx != y",
];

const cells = fc.array(
  fc.oneof(
    fc.constantFrom(...ordinary).map((source) => code(source)),
    fc
      .constantFrom("# Title\n\n  text", "", "a\n", '"""quoted"""', "# %% [markdown]")
      .map((source) => markdown(source)),
    fc.constant({ cell_type: "raw", metadata: { format: "text/x" }, source: "raw\n\ntext" }),
    fc.constant(code("p = 1", { metadata: { tags: ["parameters"], k: { a: [1, "x y"] }, collapsed: true } })),
  ),
  { maxLength: 6 },
);

describe("a notebook as a percent script", () => {
  test("has markers, text as comments, magics as comments", () => {
    const notebook = notebookOf([
      markdown("# Title\n\ntext"),
      code("%time x\ny = 1", { metadata: { tags: ["a"], title: "Set up" } }),
      { cell_type: "raw", metadata: {}, source: "r" },
    ]);
    expect(percentScript(notebook)).toBe(
      '# %% [markdown]\n# # Title\n#\n# text\n\n# %% Set up tags=["a"]\n# %time x\ny = 1\n\n# %% [raw]\n# r\n',
    );
  });

  test("written back unedited changes no byte", () => {
    for (const name of fixtures) {
      const notebook = parseNotebook(fixture(name));
      expect(withPercentScript(notebook, percentScript(notebook))).toBe(notebook);
    }
    fc.assert(
      fc.property(cells, (wanted) => {
        const notebook = notebookOf(wanted);
        expect(withPercentScript(notebook, percentScript(notebook))).toBe(notebook);
      }),
    );
  });

  test("becomes the same script again by way of a new notebook", () => {
    fc.assert(
      fc.property(cells, (wanted) => {
        const script = percentScript(notebookOf(wanted));
        expect(percentScript(withPercentScript(newNotebook(), script))).toBe(script);
      }),
    );
  });

  test("that was edited keeps the outputs of the cells it still has", () => {
    const notebook = notebookOf([
      code("a = 1", { outputs: [printed("a")] }),
      markdown("text"),
      code("b = 2", { outputs: [printed("b")], metadata: { tags: ["t"] } }),
    ]);
    const script = percentScript(notebook).replace("b = 2", "b = 3").replace("# %%\na", "# %%\nnew\n\n# %%\na");
    const edited = withPercentScript(notebook, script);
    expect(sources(edited)).toEqual(["new", "a = 1", "text", "b = 3"]);
    expect(edited.cells.map(({ outputs }) => outputs)).toEqual([[], [printed("a")], [], [printed("b")]]);
    expect(edited.cells[3]?.tags).toEqual(["t"]);
  });

  test("cannot hold a line that is a marker, and says so", () => {
    expect(() => percentScript(notebookOf([code("x\n# %% y")]))).toThrow(
      'Cell 0 has a line that begins a cell in a percent script (line 2: "# %% y").',
    );
  });
});

const scripts = [
  "x = 1\n",
  "# comment\nx=1\n\n# %%\ny\n",
  "# ---\n# jupyter:\n#   jupytext:\n#     format: percent\n# ---\n\n# %%\nx\n",
  "# %% My title\nx\n",
  '# %% My title [markdown] a=1 b="x" tags=["p", "q"]\n# text\n# more\n\nplain\n',
  "#%%\nx\n",
  "# %% [markdown]\n'''\ntext\nmore\n'''\n",
  "# %% [md]\n# x\n",
  "# %% [raw]\n# x\n#y\n#\n",
  "# %%\nx\n\n\n# %%\n\ny\n\n",
  "# %%\na = 1\n\n\n\n# %%\nb\n",
  "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# %%\nx\n",
  '# %% {"a": 1}\nx\n',
  "# %%time\nx\n",
  "# %% a\n# %% b\n",
  "# %%\n# %matplotlib inline\n# !ls\n# not magic\n# # %magic\n",
  "# %%\nprint('''\n# %%\n''')\n",
];

const python = pythonWith("jupytext");

describe.skipIf(python === null)("beside jupytext", () => {
  const read = "[[cell.cell_type, cell.source] for cell in jupytext.reads(text, fmt='py:percent').cells]";

  test("scripts are read as the same cells", () => {
    const theirs = judgeEach<[string, string][]>(python as string, "import jupytext", read, scripts);
    const ours = scripts.map((script) => parsePercentScript(script).map(({ type, source }) => [type, source]));
    expect(ours).toEqual(theirs);
  });

  test("it reads from our scripts what is in the notebook, and we from its scripts", () => {
    const notebooks = fc.sample(cells, 60).map((wanted) => notebookOf(wanted));
    const cellsOf = notebooks.map((notebook) => notebook.cells.map(({ type, source }) => [type, source]));
    expect(judgeEach(python as string, "import jupytext", read, notebooks.map(percentScript))).toEqual(cellsOf);

    const inputs = cellsOf.map((list) => JSON.stringify(list));
    const setUp = [
      "import jupytext",
      "from nbformat import v4",
      "make = {'code': v4.new_code_cell, 'markdown': v4.new_markdown_cell, 'raw': v4.new_raw_cell}",
      "def script(text):",
      "    cells = [make[kind](source) for kind, source in json.loads(text)]",
      "    return jupytext.writes(v4.new_notebook(cells=cells), fmt='py:percent')",
    ].join("\n");
    const theirs = judgeEach<string>(python as string, setUp, "script(text)", inputs);
    expect(theirs.map((script) => parsePercentScript(script).map(({ type, source }) => [type, source]))).toEqual(
      cellsOf,
    );
  });
});
