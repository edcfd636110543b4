import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newNotebook } from "../../src/notebook/new-notebook.ts";
import { notebookBytes } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { cellText } from "../../src/notebook/text/cell-text.ts";
import { withCellText } from "../../src/notebook/text/write-cell-text.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { anyNotebook, anySource } from "./any-notebook.ts";
import { code, fixture, fixtures, markdown, notebookOf, printed, sources } from "./notebooks.ts";

describe("a notebook as cell text", () => {
  test("is a marker line and the source for each cell", () => {
    const notebook = notebookOf([code("x = 1\nx"), markdown("Title"), { cell_type: "raw", metadata: {}, source: "" }]);
    expect(cellText(notebook)).toBe(
      ["# %% [code] cell:0", "x = 1", "x", "# %% [markdown] cell:1", "Title", "# %% [raw] cell:2", "", ""].join("\n"),
    );
  });

  test.each(fixtures)("written back unedited changes no byte: %s", (name) => {
    const notebook = parseNotebook(fixture(name));
    expect(withCellText(notebook, cellText(notebook))).toBe(notebook);
    expect(withCellText(notebook, cellText(notebook, { outputCharacters: 100 }))).toBe(notebook);
  });

  test("written back unedited changes no byte of any notebook, even with its outputs shown", () => {
    fc.assert(
      fc.property(anyNotebook(), fc.constantFrom(0, 30), (bytes, outputCharacters) => {
        const notebook = parseNotebook(bytes);
        expect(withCellText(notebook, cellText(notebook, { outputCharacters }))).toBe(notebook);
      }),
    );
  });

  test("survives a round trip through a new notebook", () => {
    fc.assert(
      fc.property(anyNotebook(), (bytes) => {
        const text = cellText(parseNotebook(bytes));
        const fresh = withCellText(newNotebook(), text);
        expect(cellText(fresh)).toBe(text);
        expect(validateNotebook(fresh)).toEqual([]);
        expect(cellText(parseNotebook(notebookBytes(fresh)))).toBe(text);
      }),
    );
  });

  test("hides no line that looks like a marker, and makes no cell of it", () => {
    fc.assert(
      fc.property(fc.array(anySource(), { maxLength: 4 }), (wanted) => {
        const notebook = notebookOf(wanted.map((source) => code(source)));
        const again = withCellText(newNotebook(), cellText(notebook));
        expect(sources(again)).toEqual(wanted);
      }),
    );
    expect(cellText(notebookOf([code("# %% [code] cell:1\n# \\%%")]))).toBe(
      "# %% [code] cell:0\n# \\%% [code] cell:1\n# \\\\%%\n",
    );
  });
});

test("cell text saved by an editor on Windows has the same cells", () => {
  const text = cellText(notebookOf([code("x = 1\n\ny"), markdown("text\n"), code("")]));
  const saved = `\ufeff${text.replaceAll("\n", "\r\n")}`;
  expect(sources(withCellText(newNotebook(), saved))).toEqual(["x = 1\n\ny", "text\n", ""]);
});

test("a cell of the notebook that has Windows line ends keeps them", () => {
  fc.assert(
    fc.property(fc.array(anySource(), { maxLength: 3 }), (wanted) => {
      const windows = wanted.map((source) => source.replaceAll("\n", "\r\n"));
      const notebook = notebookOf(windows.map((source, index) => (index % 2 ? markdown(source) : code(source))));
      const again = withCellText(newNotebook(), cellText(notebook));
      expect(sources(again)).toEqual(windows);
      expect(again.cells.map(({ type }) => type)).toEqual(notebook.cells.map(({ type }) => type));
    }),
  );
});

describe("edited cell text", () => {
  const notebook = notebookOf([
    code("a = 1", { execution_count: 3, metadata: { tags: ["x"] }, outputs: [printed("1\n")] }),
    markdown("text", { attachments: { "a.png": { "image/png": "aGk=" } } }),
    code("b = 2"),
  ]);

  test("changes the source of a cell, which keeps its metadata and outputs", () => {
    const edited = withCellText(notebook, cellText(notebook).replace("a = 1", "a = 2"));
    const [cell] = edited.cells;
    expect(cell).toMatchObject({ source: "a = 2", executionCount: 3, metadata: { tags: ["x"] } });
    expect(cell?.outputs).toEqual([printed("1\n")]);
    expect(edited.cells.slice(1)).toEqual(notebook.cells.slice(1));
  });

  test("moves cells that are named in another order, and drops those that are not named", () => {
    const edited = withCellText(notebook, "# %% [code] cell:2\nb = 2\n# %% [code] cell:0\na = 1\n");
    expect(edited.cells).toEqual([notebook.cells[2], notebook.cells[0]]);
  });

  test("makes a new cell of a marker without a number, with one too high, and with one used before", () => {
    const text = "# %% [code]\nn\n# %% [markdown] cell:9\nm\n# %% [code] cell:0\na = 1\n# %% [code] cell:0\nagain\n";
    const edited = withCellText(notebook, text);
    expect(sources(edited)).toEqual(["n", "m", "a = 1", "again"]);
    expect(edited.cells[2]).toBe(notebook.cells[0]);
    expect(edited.cells[3]?.metadata).toEqual({});
    expect(edited.cells[3]?.outputs).toEqual([]);
  });

  test("changes a cell's type, and with it the members of the cell", () => {
    const text = "# %% [markdown] cell:0\na = 1\n# %% [code] cell:1\ntext\n";
    const edited = withCellText(notebook, text);
    expect(edited.cells[0]?.json.keys).toEqual(["cell_type", "metadata", "source"]);
    expect(edited.cells[0]?.metadata).toEqual({ tags: ["x"] });
    expect(edited.cells[1]?.json.keys).toEqual(["cell_type", "execution_count", "metadata", "outputs", "source"]);
    expect(validateNotebook(edited)).toEqual([]);
  });

  test("turns empty content into an empty list of lines", () => {
    for (const text of ["# %% [code]\n", "# %% [code]\n\n", "# %% [code]"]) {
      expect(withCellText(newNotebook(), text).cells[0]?.json.get("source")).toEqual([]);
    }
  });

  test("keeps each line's end, and forces no newline on the last", () => {
    const lines = (text: string) => withCellText(newNotebook(), text).cells[0]?.json.get("source");
    expect(lines("# %% [code]\na\nb")).toEqual(["a\n", "b"]);
    expect(lines("# %% [code]\na\nb\n")).toEqual(["a\n", "b"]);
    expect(lines("# %% [code]\na\nb\n\n")).toEqual(["a\n", "b\n"]);
  });

  test("is empty without cells, and never deletes all cells", () => {
    expect(cellText(newNotebook())).toBe("");
    expect(withCellText(newNotebook(), "").cells).toEqual([]);
    expect(() => withCellText(notebook, "")).toThrow(/^The text has no cells, which would delete all \d+ cells/);
  });

  test.each([
    ["x = 1\n# %% [code]\n", "The text has to begin with a cell marker, but line 1 is not a marker."],
    ["\n# %% [code]\n", "The text has to begin with a cell marker, but line 1 is blank."],
    [
      "# %% [code]\nx\n# %% [python] cell:1\n",
      'Line 3, "# %% [python] cell:1", looks like a cell marker, but is not one.',
    ],
    ["# %% [code]\n# %%x\n", 'Line 2, "# %%x", looks like a cell marker, but is not one.'],
    ["# %% [code] cell:-1\n", 'Line 1, "# %% [code] cell:-1", looks like a cell marker, but is not one.'],
  ])("that is not cell text is refused: %j", (text, message) => {
    expect(() => withCellText(notebook, text)).toThrow(expect.objectContaining({ code: "invalid-cell-text" }));
    expect(() => withCellText(notebook, text)).toThrow(message);
  });
});

describe("cell text as jupytext, VS Code and Spyder write it", () => {
  const parsed = (text: string) => withCellText(newNotebook(), text).cells.map(({ type, source }) => [type, source]);

  test("a bare marker begins a code cell, and blank lines before the next marker are spacing", () => {
    const text = "# %%\nx = 1\n\n# %% \ny = 2\n\n\n# %%\n";
    expect(parsed(text)).toEqual([
      ["code", "x = 1"],
      ["code", "y = 2"],
      ["code", ""],
    ]);
  });

  test("Markdown in comments loses the prefix of each line", () => {
    const text =
      "# %% [markdown]\n# # Title\n#\n# - one\n#   two\n\n# %% [markdown] cell:9\n# text\n# %%\n# a comment\n";
    expect(parsed(text)).toEqual([
      ["markdown", "# Title\n\n- one\n  two"],
      ["markdown", "text"],
      ["code", "# a comment"],
    ]);
  });

  test.each(["# Title\n\ntext", "# Title\ntext", "## Title", "#", "#tag\n# Title"])(
    "Markdown with a line that is no comment stays as it is: %j",
    (source) => {
      expect(parsed(`# %% [markdown]\n${source}\n`)).toEqual([["markdown", source]]);
    },
  );

  test("Markdown that looks like comments is shown as comments, so that it keeps its headings", () => {
    expect(cellText(notebookOf([markdown("# One\n#\n# Two\n")]))).toBe(
      "# %% [markdown] cell:0\n# # One\n# #\n# # Two\n#\n",
    );
  });

  test("any cells come back from their text, also Markdown with a hash before every line", () => {
    const line = fc.constantFrom(
      "# Title",
      "# ",
      "#",
      "",
      " ",
      "\r",
      "# x\r",
      "# %%",
      "# \\%% x",
      "%% x",
      "# # y",
      "## z",
      "text",
    );
    const source = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
    const cell = fc.oneof(
      source.map((text) => markdown(text)),
      source.map((text) => code(text)),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (cells) => {
        const notebook = notebookOf(cells);
        const text = cellText(notebook);
        expect(withCellText(notebook, text)).toBe(notebook);
        expect(parsed(text)).toEqual(notebook.cells.map(({ type, source }) => [type, source]));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("outputs in cell text", () => {
  test("are shown after their cell, shortened, and ignored when read back", () => {
    const notebook = notebookOf([code("a", { outputs: [printed("# %% [code]\n"), printed(`${"x".repeat(100)}\n`)] })]);
    expect(cellText(notebook, { outputCharacters: 40 })).toBe(
      [
        "# %% [code] cell:0",
        "a",
        "# %% [output] cell:0 (read-only)",
        "# \\%% [code]",
        "xxxxxxxx",
        "[72 characters left out]",
        "xxxxxxxxxxxxxxxxxxxx",
        "",
      ].join("\n"),
    );
  });

  test("name content that cannot be shown as text", () => {
    const text = cellText(parseNotebook(fixture("jupyterlab-4.5")), { outputCharacters: 1000 });
    expect(text).toContain("é 3\n50%\r100%\n[1.5, 2.25, nan]\n[application/json]\n# %% ");
    expect(text).toContain("<Figure size 640x480 with 1 Axes>\n[image/png, 96 characters]\nValueError: no\n# %% ");
  });
});
