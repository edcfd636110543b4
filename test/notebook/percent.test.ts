import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newNotebook } from "../../src/notebook/new-notebook.ts";
import type { Notebook } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { parsePercentScript } from "../../src/notebook/text/percent/parse-percent-script.ts";
import { percentScript } from "../../src/notebook/text/percent/percent-script.ts";
import { withPercentScript } from "../../src/notebook/text/percent/write-percent-script.ts";
import type { JsonObject } from "../../src/support/json/value.ts";
import { repetitions } from "../environment/variants.ts";
import { anyText } from "./any-json.ts";
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
    fc
      .constantFrom("raw\n\ntext", "---\ntitle: x\n---", "---\ntitle: x\n---\nmore")
      .map((source) => ({ cell_type: "raw", metadata: { format: "text/x" }, source })),
    fc.constant(code("p = 1", { metadata: { tags: ["parameters"], k: { a: [1, "x y"] }, collapsed: true } })),
  ),
  { maxLength: 6 },
);

/** Cases that jupytext itself loses when it writes them, and when it reads our scripts. */
const onlyWeHold = fc.array(
  fc
    .constantFrom("a\n%% foo\nb", "%%", " %% x\n\n# %% y", "%% a\n```\n%% b\n```")
    .chain((source) => fc.constantFrom(markdown(source), { cell_type: "raw", metadata: {}, source })),
  { maxLength: 4 },
);

/** Lines with a meaning to readers of scripts, alone and side by side. */
const awkwardLine = fc.oneof(
  fc.constantFrom(
    ..."%% foo|%%|%%%|# %% x|# %%|#%%|#  %% x| %% x|  # %% [markdown]|%%time|%%bash|%%bash -s 1|%matplotlib|!ls|x?|# !ls".split(
      "|",
    ),
    ...'"""|\'\'\'|x = """|"|\'|r"""|"""a"""|\\|x\\|```|~~~~|```py|# ```|---|# ---|# +|# -|#|# |#!x|# -*- y|'.split(
      "|",
    ),
    ..."   |\t|\r|x\r|\u2028|\ufeff|pass|jupyter:|  a: 1".split("|"),
  ),
  anyText(),
);
const awkwardSource = fc.array(awkwardLine, { maxLength: 6 }).map((lines) => lines.join("\n"));
const awkwardCell = fc.record({
  cell_type: fc.constantFrom("code", "markdown", "raw"),
  source: awkwardSource,
  metadata: fc.constantFrom<JsonObject>(
    {},
    { title: "x [raw]" },
    { title: "%" },
    { language: "bash" },
    { tags: ["# %%"] },
  ),
});

function scriptOrRefusal(notebook: Notebook): string | null {
  try {
    return percentScript(notebook);
  } catch (error) {
    expect(error).toMatchObject({ name: "GranaryError", code: "invalid-cell-text" });
    return null;
  }
}

/** Blank lines at the end of code are the only thing that a script does not keep. */
function cellsOf({ cells }: Notebook): [type: string, source: string][] {
  return cells.map(({ type, source }) => [type, type === "code" ? source.replace(/(^|\n)\s*$/, "") : source]);
}

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

  test("gives the same script again through a new notebook", () => {
    fc.assert(
      fc.property(cells, (wanted) => {
        const script = percentScript(notebookOf(wanted));
        expect(percentScript(withPercentScript(newNotebook(), script))).toBe(script);
      }),
    );
  });

  test("after an edit keeps the outputs of the remaining cells", () => {
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

  test("brings every cell back unchanged, or is refused", () => {
    fc.assert(
      fc.property(fc.array(awkwardCell, { maxLength: 4 }), (wanted) => {
        const notebook = notebookOf(wanted);
        const script = scriptOrRefusal(notebook);
        if (script === null) return;
        expect(cellsOf(withPercentScript(newNotebook(), script))).toEqual(cellsOf(notebook));
        expect(withPercentScript(notebook, script)).toBe(notebook);
      }),
      { numRuns: repetitions(500) },
    );
  });

  test("refuses Markdown and raw text only where neither a comment nor a string can hold it", () => {
    fc.assert(
      fc.property(awkwardSource, fc.constantFrom("markdown", "raw"), (source, cell_type) => {
        if (source.includes('"""') || source.includes("'''")) return;
        const notebook = notebookOf([{ cell_type, metadata: {}, source }, code("x = 1")]);
        expect(cellsOf(withPercentScript(newNotebook(), percentScript(notebook)))).toEqual(cellsOf(notebook));
      }),
      { numRuns: repetitions(500) },
    );
  });

  test.each<[what: string, source: string, script: string]>([
    ["a line that begins with %%", "a\n%% foo\nb", '# %% [markdown]\n"""\na\n%% foo\nb\n"""\n'],
    ["a diagram's comment", "```mermaid\n%% c\n```", '# %% [markdown]\n"""\n```mermaid\n%% c\n```\n"""\n'],
    ["such a line and quotes", '%%\n"""', "# %% [markdown]\n'''\n%%\n\"\"\"\n'''\n"],
    ["a heading of percent signs", "# %% x", "# %% [markdown]\n# # %% x\n"],
  ])("writes Markdown with %s so that it stays one cell", (_what, source, script) => {
    const notebook = notebookOf([markdown(source)]);
    expect(percentScript(notebook)).toBe(script);
    expect(cellsOf(withPercentScript(newNotebook(), script))).toEqual([["markdown", source]]);
  });

  test("by jupytext, which puts a first raw cell into its header, keeps that cell when it is written back", () => {
    const raw = { cell_type: "raw", metadata: {}, source: "---\ntitle: Report\nauthor: me\n---" };
    const notebook = notebookOf([raw, code("x", { outputs: [printed("1")] })]);
    const theirs = "# ---\n# title: Report\n# author: me\n# jupyter:\n#   jupytext:\n#     a: 1\n# ---\n\n# %%\nx\n";
    expect(withPercentScript(notebook, theirs)).toBe(notebook);
    expect(withPercentScript(notebook, percentScript(notebook))).toBe(notebook);
  });

  test("keeps a foreign cell whose text has a line that begins with %%", () => {
    const notebook = notebookOf([code("%%bash -s 1\necho\n%% x\n"), code("y")]);
    expect(sources(withPercentScript(newNotebook(), percentScript(notebook)))).toEqual([
      "%%bash -s 1\necho\n%% x",
      "y",
    ]);
  });

  test("is not mistaken for another language because of a cell's metadata", () => {
    const notebook = notebookOf([code("x = 1", { metadata: { language: "bash", magic_args: "-s" } })]);
    expect(withPercentScript(notebook, percentScript(notebook))).toBe(notebook);
  });

  test("saved by an editor on Windows has the same cells, and a cell's own line ends stay", () => {
    const notebook = notebookOf([code("a\nb"), markdown("c\n\nd")]);
    const saved = `\ufeff${percentScript(notebook).replaceAll("\n", "\r\n")}`;
    expect(withPercentScript(notebook, saved)).toBe(notebook);
    const windows = notebookOf([code("a\r\nb"), markdown("c\r\nd")]);
    expect(sources(withPercentScript(newNotebook(), percentScript(windows)))).toEqual(["a\r\nb", "c\r\nd"]);
  });

  test("cannot hold a string without an end, and says so", () => {
    expect(() => percentScript(notebookOf([code("x"), code('y = """'), code("z")]))).toThrow(
      "Cell 1 would change in a percent script: a string in it has no end.",
    );
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
  "# ---\n# title: x\n# jupyter:\n#   jupytext:\n#     a: 1\n# other: 2\n# ---\n\n# %%\nx\n",
  "# ---\n# title: x\n# ---\n\n# %%\nx\n",
  "# ---\n# jupyter:\n#   a: 1\n# ---\n\nx\n",
  "# ---\n# a: 1\nx = 1\n# ---\n",
  "#---\n# a: 1\n#---\n# %%\nx\n",
  "# ---\n# never closed\n",
  "#  %% x\ny\n",
  "# %% [markdown]\n# ```mermaid\n# %% a comment\n# ```\n# b\n\n# %%\nx\n",
  "# %% [markdown]\n# ```\n# %% foo\n\n# %%\nx\n",
  '# %% [markdown]\n"""\na\n%% foo\nb\n"""\n\n# %%\nx\n',
  "# %% [raw]\n'''\na\n# %% b\n'''\n",
  '# %% [markdown]\n"""a\nb"""\n',
  '# %% [markdown]\n"""one"""\n',
  "# %%\r\nx\r\n\r\n# %% [markdown]\r\n# y\r\n",
];

const python = pythonWith("jupytext");

const typesAndSources = ({ cells }: Notebook) => cells.map(({ type, source }) => [type, source]);

describe.skipIf(python === null)("compared with jupytext", () => {
  const reading = "[[cell.cell_type, cell.source] for cell in jupytext.reads(text, fmt='py:percent').cells]";

  test("scripts are read as the same cells", () => {
    const theirs = judgeEach<[string, string][]>(python as string, "import jupytext", reading, scripts);
    const ours = scripts.map((script) => parsePercentScript(script).map(({ type, source }) => [type, source]));
    expect(ours).toEqual(theirs);
  });

  test("both read each other's scripts as the notebook's cells", () => {
    const notebooks = fc.sample(cells, 60).map((wanted) => notebookOf(wanted));
    const cellsOf = notebooks.map(typesAndSources);
    const held = fc.sample(onlyWeHold, 20).map((wanted) => notebookOf([...wanted, code("x")]));
    const scripts = [...notebooks, ...held].map(percentScript);
    const read = judgeEach(python as string, "import jupytext", reading, scripts);
    expect(read).toEqual([...cellsOf, ...held.map(typesAndSources)]);

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
