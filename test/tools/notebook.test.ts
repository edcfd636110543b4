import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolContext } from "../../src/tools/context/tool-context.ts";
import type { NotebookDetails, NotebookLookDetails, NotebookRunDetails } from "../../src/tools/definition/details.ts";
import type { ToolCall, ToolUpdate } from "../../src/tools/definition/tool.ts";
import { createNotebookTool } from "../../src/tools/notebook.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { notebookText, readCells, shownBy } from "../execute/notebook-runs.ts";
import { until } from "../kernel/until.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contentOf, contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

let context: ToolContext & AsyncDisposable;
beforeAll(async () => {
  context = await contextIn(folder);
});
afterAll(() => context[Symbol.asyncDispose]());

let last = 0;

function notebook(cells: Parameters<typeof notebookText>[0]): string {
  const name = `notebook-${++last}.ipynb`;
  writeFileSync(at(name), notebookText(cells));
  return name;
}

async function call(input: object, how?: ToolCall<NotebookDetails>) {
  const result = await createNotebookTool(context).run(input, how);
  return { ...result, text: textOf(result) };
}

const sources = (path: string) => readCells(at(path)).map(({ source }) => [source].flat().join(""));

describe("a cell has one number in a report: its index", () => {
  test("in the traceback, too, which Python numbers by execution", async () => {
    await createPythonTool(context).run({ cells: [{ code: "def earlier(f): return f()" }] });
    const path = notebook(["def half(n): return n / 0", "def twice():\n    return half(2)", "earlier(twice)"]);
    const { text } = await call({ action: "run", path });
    expect(text).toContain("Error: Cell 2 (cell-2) failed: ZeroDivisionError");
    const files = [...text.matchAll(/File "([^"]*)", line/g)].map(([, file]) => file);
    // What was defined before the notebook ran is in none of its cells.
    expect(files).toEqual(["cell 2", expect.stringMatching(/^In \[\d+\]$/), "cell 1", "cell 0"]);
    expect(text).not.toMatch(/<cell \d+>/);
  });

  test("also in the errors that a run has allowed", async () => {
    const path = notebook(["x = 1", "1/0"]);
    const { text } = await call({ action: "run", path, allow_errors: true });
    expect(text).toContain("[cell 1: ZeroDivisionError");
    expect(text).toContain('File "cell 1", line 1');
    expect(text).not.toMatch(/<cell \d+>/);
    // The notebook itself keeps what Python said.
    expect(readFileSync(at(path), "utf8")).toMatch(/<cell \d+>/);
  });
});

describe("edits", () => {
  test.each([{ cell_index: -1 }, { cell_index: 0, action: "move", to: -1 }])(
    "%j: cells count from 0",
    async (given) => {
      const { text, isError } = await call({ action: "delete", path: notebook(["a"]), ...given });
      expect(isError).toBe(true);
      expect(text).toContain("cells count from 0, and -1 is not the last one");
    },
  );

  test.each([
    [{ action: "edit", cell_index: 1, content: "B" }, ["a\nA", "B", "c"], "Changed cell 1 of 3."],
    [{ action: "edit", cell_id: "cell-2", content: "C" }, ["a\nA", "b", "C"], "Changed cell 2 of 3."],
    [{ action: "insert", content: "n" }, ["a\nA", "b", "c", "n"], "Inserted a code cell: it is cell 3 of 4."],
    [
      { action: "insert", cell_index: 0, content: "n", cell_type: "markdown" },
      ["n", "a\nA", "b", "c"],
      "Inserted a markdown cell: it is cell 0 of 4.",
    ],
    [{ action: "insert", cell_id: "cell-0", content: "n" }, ["a\nA", "n", "b", "c"], "it is cell 1 of 4."],
    [{ action: "delete", cell_index: 0 }, ["b", "c"], "Deleted cell 0; 2 are left."],
    [{ action: "move", cell_index: 0, to: 2 }, ["b", "c", "a\nA"], "Moved it: it is cell 2 of 3 now."],
    [{ action: "replace", cell_index: 0, old: "A", new: "X" }, ["a\nX", "b", "c"], "Changed cell 0 of 3."],
    [{ action: "type", cell_index: 1, cell_type: "raw" }, ["a\nA", "b", "c"], "Cell 1 is a raw cell now."],
    [{ action: "clear" }, ["a\nA", "b", "c"], "Nothing changed: no cell has outputs."],
    [{ action: "replace", cell_index: 0, old: "A", new: "A" }, ["a\nA", "b", "c"], "Nothing changed: cell 0 has that"],
    [{ action: "split", cell_index: 0, line: 2 }, ["a", "A", "b", "c"], "the two are cells 0 and 1 of 4."],
    [{ action: "merge", cell_index: 1 }, ["a\nA", "b\nc"], "Merged into cell 1 of 2."],
  ])("%j", async (edit, expected, sentence) => {
    const path = notebook(["a\nA", "b", "c"]);
    const { text, isError, details } = await call({ ...edit, path });
    expect({ isError, sources: sources(path) }).toEqual({ isError: false, sources: expected });
    expect(text).toContain(sentence);
    expect(details).toMatchObject({ action: edit.action, path: at(path), totalCells: expected.length });
  });

  test("several in one call are made in order, or none of them", async () => {
    const path = notebook(["a", "b"]);
    const edits = [
      { action: "delete", cell_index: 0 },
      { action: "insert", cell_index: 0, content: "first" },
    ];
    const { text, details, structured } = await call({ action: "batch", path, edits });
    expect(sources(path)).toEqual(["first", "b"]);
    expect(text).toBe("Deleted cell 0; 1 is left.\nInserted a code cell: it is cell 0 of 2.");
    expect(details).toMatchObject({ action: "insert", edits: [{ action: "delete" }, { action: "insert" }] });
    expect(structured).toMatchObject({ totalCells: 2, edits: [{ action: "delete" }, { action: "insert" }] });
    const refused = await call({ action: "batch", path, edits: [...edits, { action: "delete", cell_index: 9 }] });
    expect(refused.text).toBe(
      "Error: Edit 3 of 3 failed, so none was applied: There is no cell 9: cells count from 0, and the last is cell 1.",
    );
    expect(sources(path)).toEqual(["first", "b"]);
  });

  test.each([
    [{ action: "edit", content: "x" }, 'Error: "edit" needs cells, by index or id.'],
    [{ action: "edit", cell_index: 0 }, 'Error: "edit" needs content, the cell\'s new source.'],
    [{ action: "insert" }, 'Error: "insert" needs content'],
    [{ action: "insert", cell_index: 5, content: "" }, "Error: A cell cannot be inserted at 5: use 0 to 1."],
    [
      { action: "delete", cell_index: 0, cell_id: "x" },
      "Error: Name the cells in one way: with cells, cell_index or cell_id.",
    ],
    [
      { action: "delete", cell_index: -1 },
      "Error: cell_index: cells count from 0, and -1 is not the last one; show lists them",
    ],
    [{ action: "merge", cell_index: 0, count: 1 }, "Error: count: expected at least 2, got 1"],
    [{ action: "delete", cell_id: "nope" }, 'Error: No cell has the id "nope".'],
    [{ action: "explode" }, "Error: action: expected "],
    [{ action: "delete", index: 0 }, "Error: "],
    [{ action: "batch" }, 'Error: "batch" needs edits'],
    [{ action: "batch", edits: [{ action: "run" }] }, "Error: edits[0]: action: expected "],
    [{ action: "batch", edits: [{ action: "delete", cell: 1 }] }, "Error: edits[0]: "],
  ])("%j: the problem is reported", async (edit, expected) => {
    const path = notebook(["a"]);
    const { text, isError, details } = await call({ ...edit, path });
    expect({ begins: text.slice(0, expected.length), isError }).toEqual({ begins: expected, isError: true });
    expect(details).toEqual({ action: "failed", path });
    expect(sources(path)).toEqual(["a"]);
  });

  test.each([
    ["gone.ipynb", undefined, /^Error: There is no .*gone\.ipynb\..* action: "new" makes an empty notebook\.$/],
    ["no-json.ipynb", "{", /^Error: .*no-json\.ipynb/],
    ["no-cells.ipynb", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', /^Error: .*cells/],
    ["odd-cells.ipynb", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 3}', /^Error: .*cells/],
  ])("%s cannot be edited, and the error says so", async (path, content, expected) => {
    if (content !== undefined) writeFileSync(at(path), content);
    expect((await call({ action: "clear", path })).text).toMatch(expected);
  });

  test("a notebook can be made, but not over an existing one", async () => {
    expect((await call({ action: "new", path: "fresh/made.ipynb" })).text).toBe(
      "Made fresh/made.ipynb, without cells.",
    );
    expect(readCells(at("fresh/made.ipynb"))).toEqual([]);
    expect((await call({ action: "new", path: "fresh/made.ipynb" })).text).toMatch(
      /^Error: There is a file at .* already\. Edit it, or choose another name\.$/,
    );
  });
});

describe("a run", () => {
  test("executes the cells in the session, saves their outputs, and shows them", async () => {
    const path = notebook(["x = 6", { cell_type: "markdown", source: "# Title" }, "print('hello')\nx * 7"]);
    const { text, isError, details, structured } = await call({ action: "run", path });
    expect(text).toMatch(
      new RegExp(
        `^Ran 2 cells in \\S+ s\\. Saved ${path}\\.\n\n\\[cell 0: ok, \\S+ s\\]\n\\[cell 2: ok, \\S+ s\\]\nhello\n42$`,
      ),
    );
    expect({ isError, structured }).toEqual({
      isError: false,
      structured: { path: at(path), status: "ok", ran: 2, savedTo: at(path) },
    });
    expect(details).toMatchObject({ action: "run", session: "main", progress: null, run: { status: "ok" } });
    expect(shownBy(at(path))).toEqual([[], [], ["stdout: hello\n", "result: 42"]]);
    const python = await createPythonTool(context).run({ cells: [{ code: "x + 1" }] });
    expect(textOf(python)).toBe("7");
  });

  test("that fails names the cell, the exception and the cells that did not run; and can be resumed when the cell is fixed", async () => {
    const path = notebook(["count = 1", "count += 1\n1 / 0", "print(count)"]);
    const { text, isError, structured } = await call({ action: "run", path });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: Cell 1 \(cell-1\) failed: ZeroDivisionError: division by zero\n {2}count \+= 1\n/);
    expect(text).toContain("Not run: cell 2.");
    expect(text).toContain("\n\nNote: Fix cell 1, then resume: true continues with it.");
    expect(text.match(/ZeroDivisionError: division by zero/g)).toHaveLength(2);
    expect(structured).toMatchObject({ status: "error", ran: 2, failed: 1, message: "division by zero" });
    await call({ action: "edit", path, cell_index: 1, content: "count += 10" });
    expect((await call({ action: "run", path, resume: true })).text).toContain("12");
  });

  test("takes the options of a run", async () => {
    const path = notebook([
      { source: "n = 1", metadata: { tags: ["parameters"] } },
      "print(n)",
      "1 / 0",
      "print('end')",
    ]);
    const { text, isError } = await call({
      action: "run",
      path,
      params: { n: 5 },
      allow_errors: true,
      out: "out/run.ipynb",
      fresh: true,
      session: "another",
    });
    expect(isError).toBe(false);
    expect(text).toContain("Ran 5 cells");
    expect(text).toContain("1 of them with an error that was allowed");
    expect(text).toContain("[cell 3: ZeroDivisionError, ");
    expect(shownBy(at("out/run.ipynb"))).toEqual([
      [],
      [],
      ["stdout: 5\n"],
      ["error: ZeroDivisionError: division by zero"],
      ["stdout: end\n"],
    ]);
    expect(shownBy(at(path)).flat()).toEqual([]);
    const some = await call({ action: "run", path, cells: [1], session: "another" });
    expect(some.structured).toMatchObject({ ran: 1 });
  });

  test("passes the code's questions to the host", async () => {
    const path = notebook(["print('Hello, ' + input('Who? '))"]);
    const asked: string[] = [];
    const answer = async (prompt: string): Promise<string> => {
      asked.push(prompt);
      return "Ada";
    };
    expect((await call({ action: "run", path }, { answer })).text).toMatch(/\nHello, Ada$/);
    expect(asked).toEqual(["Who? "]);
    expect((await call({ action: "run", path })).text).toContain("Error: Cell 0 (cell-0) failed: InputNotAvailable");
  });

  test("reports its progress live, and can be cancelled", async () => {
    const path = notebook(["1", "print('so far', flush=True)\nimport time; time.sleep(1000)"]);
    const updates: ToolUpdate<NotebookDetails>[] = [];
    const stop = new AbortController();
    const running = call({ action: "run", path }, { signal: stop.signal, onUpdate: (update) => updates.push(update) });
    await until("its output is reported", () => updates.some(({ text }) => text.includes("so far")));
    const details = updates.at(-1)?.details as NotebookRunDetails | undefined;
    expect({ progress: details?.progress, run: details?.run }).toEqual({
      progress: { number: 2, of: 2, cellIndex: 1 },
      run: null,
    });
    stop.abort();
    const { text, isError } = await running;
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error: Cell 1 \(cell-1\) was interrupted\./);
    expect(shownBy(at(path))[1]).toContain("stdout: so far\n");
  });

  test("shows pictures as pictures", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const path = notebook([`display({"image/png": "${png}", "text/plain": "<dot>"}, raw=True)`]);
    const result = await call({ action: "run", path });
    expect(contentOf(result, "image")).toEqual([{ type: "image", base64: png, mimeType: "image/png" }]);
    const shown = await call({ action: "show", path });
    expect(contentOf(shown, "image")).toHaveLength(1);
  });

  test("with much output shows a part, and the artifact has all of it", async () => {
    const path = notebook(["for i in range(100_000): print(i)"]);
    const result = await call({ action: "run", path });
    expect(result.text.length).toBeLessThan(60_000);
    expect(contentOf(result, "link")).toHaveLength(1);
    const { fullOutputPath } = result.details as NotebookRunDetails;
    expect(readFileSync(fullOutputPath ?? "", "utf8")).toContain("\n99999\n");
  });

  test("is not offered without Python", async () => {
    const tool = createNotebookTool(context, { runs: false });
    expect(tool.description).not.toContain("run:");
    expect(textOf(await tool.run({ action: "run", path: notebook(["1"]) }))).toMatch(/^Error: action: expected /);
  });

  test("requires a kernel that persists between calls", async () => {
    await using perCall = await contextIn(folder, { python: { kernelMode: "per-call" } });
    const result = await createNotebookTool(perCall).run({ action: "run", path: notebook(["1"]) });
    expect(textOf(result)).toMatch(/^Error: Notebooks cannot be run while python\.kernelMode is per-call/);
  });
});

describe("without changing the file", () => {
  test("show prints cells with their outputs", async () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: "hello\n" }];
    const path = notebook([{ source: "print('hello')", outputs, execution_count: 3 }, "other"]);
    const before = readFileSync(at(path), "utf8");
    expect((await call({ action: "show", path })).text).toBe(
      "[cell 0: code, [3], id cell-0]\nprint('hello')\n[output]\nhello\n[cell 1: code, id cell-1]\nother",
    );
    expect((await call({ action: "show", path, cells: [1] })).text).toBe("[cell 1: code, id cell-1]\nother");
    expect(readFileSync(at(path), "utf8")).toBe(before);
  });

  test("check says whether the notebook was run as it is", async () => {
    expect((await call({ action: "check", path: notebook(["1"]) })).text).toBe("Cell 0 was never run.");
  });

  test("the details of show, check and new name the notebook", async () => {
    const path = notebook(["1", "2"]);
    const made = "looked-at.ipynb";
    const told = { path: at(path), totalCells: 2 };
    const shown = { action: "show", ...told, findings: null, truncation: null, fullOutputPath: null };
    expect((await call({ action: "show", path })).details).toEqual(shown);
    expect(await call({ action: "check", path })).toMatchObject({
      details: { action: "check", ...told, findings: 2 },
      structured: { ...told, findings: 2 },
    });
    expect(await call({ action: "new", path: made })).toMatchObject({
      details: { action: "new", path: at(made), totalCells: 0, findings: null },
      structured: { path: at(made), totalCells: 0 },
    });
  });

  test("a long notebook is shown in part, and the details name the artifact with all of it", async () => {
    const text = Array.from({ length: 20_000 }, (_, line) => `line ${line}\n`).join("");
    const path = notebook([{ source: "1", outputs: [{ output_type: "stream", name: "stdout", text }] }]);
    const { details } = await call({ action: "show", path });
    const { fullOutputPath, truncation } = details as NotebookLookDetails;
    expect(truncation?.artifact).toMatch(/^artifact:/);
    expect(readFileSync(fullOutputPath as string, "utf8")).toContain("line 19999\n");
  });

  test("verify continues after an error that the notebook shows", async () => {
    const path = notebook(["1 / 0", "print('end')"]);
    await call({ action: "run", path, allow_errors: true });
    expect((await call({ action: "verify", path })).text).toBe("2 cells ran and show what the notebook shows.");
  });

  test("verify runs it in a kernel of its own and reports which outputs would differ", async () => {
    const path = notebook(["print('same')", "print('changes')\nkept = 1"]);
    await call({ action: "run", path });
    expect((await call({ action: "verify", path })).text).toBe("2 cells ran and show what the notebook shows.");
    const wrong = readFileSync(at(path), "utf8").replace('"changes\\n"', '"was this\\n"');
    writeFileSync(at(path), wrong);
    const { text, isError, structured } = await call({ action: "verify", path });
    expect(text).toBe(
      'Error: 1 of 2 cells shows something else.\nCell 1 (cell-1) shows something else:\n  was "stdout: was this"\n  is  "stdout: changes"',
    );
    expect({ isError, structured }).toMatchObject({ isError: true, structured: { verified: false } });
    expect(readFileSync(at(path), "utf8")).toBe(wrong);
    expect(textOf(await createPythonTool(context).run({ cells: [{ code: "kept" }] }))).toBe("1");
    expect(context.runtime.sessions.map(({ id }) => id).filter((id) => id.startsWith("verify"))).toEqual([]);
  });
});

describe("cells in one text", () => {
  const five = () => notebook(["a", "b", "c", "d", "e"]);

  test.each([
    ["1", ["b"]],
    ["0-1,3", ["a", "b", "d"]],
    ["3-", ["d", "e"]],
    ["cell-2, 4", ["c", "e"]],
    [1, ["b"]],
    [
      [0, "cell-4"],
      ["a", "e"],
    ],
  ])("show %j", async (cells, shown) => {
    const { text } = await call({ action: "show", path: five(), cells });
    expect([...text.matchAll(/^[a-e]$/gm)].map(([source]) => source)).toEqual(shown);
  });

  test("run as on the command line", async () => {
    const path = notebook(["print('a')", "print('b')", "print('c')"]);
    const ran = async (cells: unknown) =>
      ((await call({ action: "run", path, cells })).details as NotebookRunDetails).run?.cells
        .filter(({ status }) => status === "ok")
        .map(({ index }) => index);
    expect(await ran("0,2")).toEqual([0, 2]);
    expect(await ran("1-")).toEqual([1, 2]);
  });

  test("are deleted and merged as ranges, whatever their order", async () => {
    const path = five();
    expect((await call({ action: "delete", path, cells: "0,3,1,0" })).isError).toBe(false);
    expect(sources(path)).toEqual(["c", "e"]);
    const other = five();
    await call({ action: "merge", path: other, cells: "1-3" });
    expect(sources(other)).toEqual(["a", "b\nc\nd", "e"]);
    await call({ action: "batch", path: other, edits: [{ action: "delete", cells: "0-1" }] });
    expect(sources(other)).toEqual(["e"]);
  });

  test.each([
    [{ action: "show", cells: "3-1" }, "cells: 3-1: a range begins with the smaller number."],
    [{ action: "show", cells: "1,,2" }, 'cells: expected cells such as 3,5-8, got "1,,2".'],
    [{ action: "show", cells: "9" }, "There is no cell 9: cells count from 0, and the last is cell 4."],
    [{ action: "show", cells: {} }, "cells: expected cells such as 3, 0-3,7 or an id"],
    [{ action: "edit", cells: "1-2", content: "x" }, '"edit" takes one cell; for several, use batch.'],
    [{ action: "delete", cells: "1-" }, '"delete" needs the last cell of the range, as in 1-3.'],
    [{ action: "merge", cells: "0,2" }, '"merge" takes cells that follow each other, as in 2-4.'],
  ])("%j is refused, and nothing changes", async (input, message) => {
    const path = five();
    const { isError, text } = await call({ path, ...input });
    expect({ isError, text }).toEqual({ isError: true, text: `Error: ${message}` });
    expect(sources(path)).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("a look for the right cell", () => {
  const path = () =>
    notebook([
      { cell_type: "markdown", source: "# Report\n\ntext\n```sh\n# no heading\n```\n## Data" },
      "\nimport pandas as pd\ndf = pd.read_csv('a.csv')",
      { cell_type: "markdown", source: "only text" },
      "",
      "DF = pd.read_json('b.json')",
    ]);

  test("find lists index, line and id of each line with a text", async () => {
    expect((await call({ action: "find", path: path(), content: "pd.read_" })).text).toBe(
      "1:3 id cell-1: df = pd.read_csv('a.csv')\n4:1 id cell-4: DF = pd.read_json('b.json')",
    );
    expect((await call({ action: "find", path: path(), content: ".*" })).text).toBe("(not found)");
  });

  test("find takes a regular expression between slashes", async () => {
    const find = async (content: string) => (await call({ action: "find", path: path(), content })).text;
    expect(await find("/^df = /i")).toMatch(/^1:3 .*\n4:1 [^\n]*$/);
    expect(await find("/^df = /")).toMatch(/^1:3 [^\n]*$/);
    expect(await find("/(/")).toMatch(/^Error: content: Invalid regular expression: .*searched as text\.$/);
    expect(await find("")).toBe('Error: "find" needs content: a text, or "/regex/i".');
  });

  test("outline lists the headings of Markdown and the first line of other cells", async () => {
    const { text, details } = await call({ action: "outline", path: path() });
    expect(text.split("\n")).toEqual([
      "0 markdown id cell-0: # Report",
      "  ## Data (7 lines)",
      "1 code id cell-1: import pandas as pd (3 lines)",
      "2 markdown id cell-2: only text",
      "3 code id cell-3: (empty)",
      "4 code id cell-4: DF = pd.read_json('b.json')",
    ]);
    expect(details).toMatchObject({ action: "outline", totalCells: 5 });
    expect((await call({ action: "outline", path: notebook([]) })).text).toBe("[no cells]");
  });
});
