import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { notebookBytes, notebookMetadata } from "../../src/notebook/notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { fixture, sources } from "./notebooks.ts";
import { judgeEach, pythonWith } from "./python-nbformat.ts";

const python = pythonWith("nbformat");

const text = fc.oneof(
  fc.string({ maxLength: 20, unit: fc.constantFrom("a", "é", " ", "#", "\n", "\r\n", "\u2028", '"') }),
  fc.constant("x = 1\ny = 2\n"),
);
/** In files, text is one string or a list of lines. */
const stored = fc.oneof(
  text,
  text.map((whole) => whole.match(/[^\n]*\n|[^\n]+/g) ?? []),
);
const metadata = fc.constantFrom({}, { tags: ["a"] }, { trusted: true, mine: { deep: [1, null] } });
const count = fc.option(fc.nat({ max: 99 }), { nil: null });
const contents = fc.record(
  {
    text: stored,
    html: stored,
    svg: stored,
    latex: stored,
    javascript: stored,
    png: fc.constant("aGVsbG8=\n"),
    jpeg: fc.constant("aGVsbG8="),
    json: fc.constantFrom('{"a": [1, 2.5, null]}', "3"),
  },
  { requiredKeys: [] },
);
const outputs = fc.oneof(
  fc.record({ output_type: fc.constant("stream"), stream: fc.constantFrom("stdout", "stderr"), text: stored }),
  fc.record({ output_type: fc.constant("stream"), text: stored }),
  fc.record({
    output_type: fc.constant("pyerr"),
    ename: text,
    evalue: text,
    traceback: fc.array(text, { maxLength: 3 }),
  }),
  fc
    .tuple(contents, fc.record({ output_type: fc.constant("pyout"), prompt_number: count, metadata: fc.constant({}) }))
    .map((parts) => Object.assign({}, ...parts)),
  fc
    .tuple(
      contents,
      fc.record({ output_type: fc.constant("display_data"), metadata: fc.constant({ png: { width: 3 } }) }),
    )
    .map((parts) => Object.assign({}, ...parts)),
);
const cells = fc.oneof(
  fc.record(
    {
      cell_type: fc.constant("code"),
      input: stored,
      language: fc.constant("python"),
      collapsed: fc.boolean(),
      metadata,
      outputs: fc.array(outputs, { maxLength: 3 }),
      prompt_number: count,
    },
    { requiredKeys: ["cell_type", "input", "outputs", "language"] },
  ),
  fc.record({ cell_type: fc.constantFrom("markdown", "raw", "html"), source: stored, metadata }),
  fc.record({ cell_type: fc.constant("heading"), source: stored, level: fc.integer({ min: 1, max: 6 }), metadata }),
);
const notebooks = fc.record({
  metadata: fc.constantFrom({ name: "" }, { name: "old", signature: "sha256:0", kept: { a: 1 } }, {}),
  nbformat: fc.constantFrom(3, 3, 2),
  nbformat_minor: fc.constant(0),
  worksheets: fc.array(fc.record({ cells: fc.array(cells, { maxLength: 4 }), metadata: fc.constant({}) }), {
    maxLength: 2,
  }),
});

const upgraded = (json: unknown) => parseNotebook(Buffer.from(JSON.stringify(json)));
const cell = (one: object) => upgraded({ nbformat: 3, metadata: {}, worksheets: [{ cells: [one] }] }).cells[0];

describe.skipIf(python === null)("a notebook of nbformat 3 is read as", () => {
  test("Jupyter's nbformat would convert it, for any content", () => {
    const samples = [JSON.parse(fixture("old-3.0").toString()), ...fc.sample(notebooks, 150)];
    const convert = [
      "import nbformat, logging",
      "logging.disable(logging.CRITICAL)",
      "def converted(text):",
      "    notebook = json.loads(nbformat.writes(nbformat.reads(text, 4)))",
      "    for cell in notebook['cells']: del cell['id']",
      "    return notebook",
    ].join("\n");
    const texts = samples.map((sample) => JSON.stringify(sample));
    const theirs = judgeEach<unknown>(python as string, convert, "converted(text)", texts);
    const ours = samples.map((sample) => {
      const notebook = JSON.parse(notebookBytes(upgraded(sample)).toString());
      return { ...notebook, cells: notebook.cells.map(({ id: _, ...rest }: { id: string }) => rest) };
    });
    expect(ours).toEqual(theirs);
  });
});

describe("a notebook of nbformat 3", () => {
  test("becomes a valid one of nbformat 4.5, the same each time it is read", () => {
    const notebook = parseNotebook(fixture("old-3.0"));
    expect(notebook).toMatchObject({ upgradedFrom: 3 });
    expect(sources(notebook)).toEqual(["print 1"]);
    expect(validateNotebook(notebook)).toEqual([]);
    expect(notebookBytes(notebook)).toEqual(notebookBytes(parseNotebook(fixture("old-3.0"))));
  });

  test("may lack its version, its metadata and even its cells", () => {
    expect(sources(upgraded({ worksheets: [{ cells: [{ cell_type: "code", input: "1" }] }] }))).toEqual(["1"]);
    for (const worksheets of [[], [{}], null]) expect(sources(upgraded({ nbformat: 3, worksheets }))).toEqual([]);
  });

  test("that is not in Python says so in its new metadata, so that it does not run as Python", () => {
    const julia = { cell_type: "code", language: "julia", input: "1", outputs: [] };
    const notebook = upgraded({ nbformat: 3, metadata: {}, worksheets: [{ cells: [julia] }] });
    expect(notebookMetadata(notebook)).toEqual({ language_info: { name: "julia" } });
  });

  test("keeps invalid JSON and outputs of unknown types unchanged", () => {
    const outputs = [
      { output_type: "pyout", json: "{oops", prompt_number: 1 },
      { output_type: "other", x: 1 },
    ];
    expect(cell({ cell_type: "code", input: "1", outputs })?.outputs).toEqual([
      { output_type: "execute_result", data: { "application/json": "{oops" }, metadata: {}, execution_count: 1 },
      { output_type: "other", x: 1 },
    ]);
  });

  test.each([
    [-1, "# a"],
    [0, "# a"],
    [2.5, "# a"],
    ["2", "# a"],
    [null, "# a"],
    [6, "###### a"],
    [1_000_000_000, "###### a"],
    [1e300, "###### a"],
  ])("with a heading of level %j is read with one that Markdown has", (level, heading) => {
    expect(cell({ cell_type: "heading", source: "a", level })?.source).toBe(heading);
  });

  test("with an invalid cell is refused with the cell's number", () => {
    const json = { nbformat: 3, worksheets: [{ cells: [{ cell_type: "code", input: "" }, 7] }] };
    expect(() => upgraded(json)).toThrow("Cell 1 of The notebook is not an object.");
    expect(() => cell({ cell_type: "code", input: { a: 1 } })).toThrow("has a source that is neither text nor");
  });
});
