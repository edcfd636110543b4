import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, notebook, notebookJson, typed } from "./notebook-command.ts";

let last = 0;

/** A new notebook with these code cells; returns its name relative to the folder. */
async function notebookWith(...sources: string[]): Promise<string> {
  const file = `n${++last}.ipynb`;
  await notebook(["new", file]);
  for (const source of sources) await notebook(["insert", file, "--content", source]);
  return file;
}

const read = (file: string) => readFileSync(join(folder, file), "utf8");
const sourcesOf = (file: string): string[] =>
  JSON.parse(read(file)).cells.map(({ source }: { source: string[] }) => source.join(""));

describe("granary notebook", () => {
  test("new makes a valid notebook, and never replaces a file", async () => {
    expect(await notebook(["new", "fresh.ipynb"])).toEqual({ stdout: "Made fresh.ipynb.\n", stderr: "", exitCode: 0 });
    expect((await notebook(["validate", "fresh.ipynb"])).stdout).toBe("fresh.ipynb is valid nbformat 4.5.\n");
    const again = await notebook(["new", "fresh.ipynb"]);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("fresh.ipynb exists already") });
  });

  test("edits cells and reports each edit", async () => {
    const file = await notebookWith("a = 1", "b = 2");
    const said = async (...args: string[]) => (await notebook([args[0] as string, file, ...args.slice(1)])).stdout;
    expect(await said("edit", "0", "--content", "a = 10")).toBe("Changed cell 0 of 2.\n");
    expect(await said("insert", "--before", "1", "--type", "markdown", "--content", "# Hi")).toBe(
      "Inserted a markdown cell: it is cell 1 of 3.\n",
    );
    expect(await said("replace", "2", "--old", "2", "--new", "20")).toBe("Changed cell 2 of 3.\n");
    expect(await said("move", "2", "0")).toBe("Moved it: it is cell 0 of 3 now.\n");
    expect(sourcesOf(file)).toEqual(["b = 20", "a = 10", "# Hi"]);
    expect(await said("merge", "0")).toBe("Merged into cell 0 of 2.\n");
    expect(await said("split", "0", "--line", "2")).toBe("Split it: the two are cells 0 and 1 of 3.\n");
    expect(await said("type", "2", "raw")).toBe("Cell 2 is a raw cell now.\n");
    expect(await said("delete", "1")).toBe("Deleted cell 1; 2 are left.\n");
    expect(await said("clear")).toBe("Nothing changed: no cell has outputs.\n");
    expect(sourcesOf(file)).toEqual(["b = 20", "# Hi"]);
  });

  test("takes a cell's source from standard input, and the cell by its id", async () => {
    const file = await notebookWith("old");
    const [{ id }] = JSON.parse(read(file)).cells;
    await notebook(["edit", file, id], typed("first\nsecond\n"));
    expect(sourcesOf(file)).toEqual(["first\nsecond"]);
  });

  test("prints all facts about an edit as JSON", async () => {
    const file = await notebookWith("a", "b");
    const { document } = await notebookJson(["delete", file, "0"]);
    expect(document).toEqual({
      status: "ok",
      path: join(folder, file),
      action: "delete",
      changed: true,
      cellIndex: 0,
      cellType: "code",
      cellId: expect.any(String),
      totalCells: 1,
      cellSource: "a",
      outputsAreStale: false,
    });
  });

  test("text and write edit the whole notebook, and change nothing without an edit", async () => {
    const file = await notebookWith("a = 1", "b = 2");
    const before = read(file);
    const { stdout: text } = await notebook(["text", file]);
    expect(text).toBe("# %% [code] cell:0\na = 1\n# %% [code] cell:1\nb = 2\n");
    await notebook(["write", file], typed(text));
    expect(read(file)).toBe(before);
    expect((await notebook(["text", `${file}:4`])).stdout).toBe("b = 2\n");
    expect((await notebook(["text", `${file}:raw`])).stdout).toBe(before);
    writeFileSync(join(folder, "edited.txt"), text.replace("b = 2", "b = 3\n# %% [markdown]\n# # New"));
    expect((await notebook(["write", file, "--from", "edited.txt"])).stdout).toBe(`Wrote ${file}: 3 cells.\n`);
    expect(sourcesOf(file)).toEqual(["a = 1", "b = 3", "# New"]);
  });

  test("text and write support the percent format", async () => {
    const file = await notebookWith("a = 1");
    const { stdout: script } = await notebook(["text", file, "--format", "percent"]);
    expect(script).toBe("# %%\na = 1\n");
    await notebook(["write", file, "--format", "percent"], typed(`${script}\n# %% [markdown]\n# # Title\n`));
    expect(sourcesOf(file)).toEqual(["a = 1", "# Title"]);
  });

  test("an empty text, such as a failed command prints, deletes nothing", async () => {
    const file = await notebookWith("a = 1", "b = 2");
    const before = read(file);
    for (const args of [
      ["write", file],
      ["write", file, "--format", "percent"],
    ]) {
      const { stderr, exitCode } = await notebook(args, typed(""));
      expect(stderr).toContain("which would delete all 2 cells of the notebook. Nothing was changed.");
      expect(exitCode).toBe(2);
    }
    for (const args of [
      ["edit", file, "0"],
      ["insert", file],
    ]) {
      const { stderr, exitCode } = await notebook(args, typed(""));
      expect({ stderr, exitCode }).toMatchObject({ stderr: expect.stringContaining("--content ''"), exitCode: 2 });
    }
    expect(read(file)).toBe(before);
    await notebook(["edit", file, "0", "--content", ""]);
    await notebook(["edit", file, "1", "--content", "-"], typed(""));
    expect(sourcesOf(file)).toEqual(["", ""]);
    expect((await notebook(["write", "not-yet.ipynb"], typed(""))).stdout).toBe("Wrote not-yet.ipynb: 0 cells.\n");
  });

  test.each([
    ['{"a": 1}', "", 'is not a notebook: it has no "cells"'],
    ["[1]", "", "is not a notebook"],
    ['{"cells": [{"cell_type": "code", "source": 5}], "nbformat": 4}', "cells[0]", "has a source that is neither text"],
  ])("validate: %s can be read, and is not valid", async (content, at, message) => {
    writeFileSync(join(folder, "no-notebook.ipynb"), content);
    const { stdout, exitCode } = await notebook(["validate", "no-notebook.ipynb"]);
    expect([stdout, exitCode]).toEqual([expect.stringContaining(message), 1]);
    const { document } = await notebookJson(["validate", "no-notebook.ipynb"]);
    expect(document).toMatchObject({ status: "error", nbformat: null, problems: [{ at }] });
    expect(await notebook(["validate", "-"], typed(content))).toMatchObject({ exitCode: 1, stderr: "" });
  });

  test("validate names the problems, and --upgrade adds ids", async () => {
    const cell = { cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: [], color: "red" };
    const old = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 2 };
    writeFileSync(join(folder, "old.ipynb"), JSON.stringify(old));
    const invalid = await notebook(["validate", "old.ipynb"]);
    expect(invalid).toMatchObject({ exitCode: 1, stdout: "cells[0].color is not allowed here\n" });
    const { document } = await notebookJson(["validate", "old.ipynb", "--upgrade"]);
    expect(document).toMatchObject({ status: "error", nbformat: "4.5", problems: [{ cellIndex: 0 }] });
    expect(JSON.parse(read("old.ipynb")).cells[0].id).toMatch(/^\w+$/);
  });

  test("check lists the cells that never ran", async () => {
    const file = await notebookWith("a", " ");
    const { stdout, exitCode } = await notebook(["check", file]);
    expect({ stdout, exitCode }).toEqual({ stdout: "Cell 0 was never run.\n", exitCode: 1 });
  });
});

describe("errors", () => {
  test.each([
    [["frobnicate", "x.ipynb"], "There is no command notebook frobnicate. See: granary notebook --help"],
    [["edt", "x.ipynb"], "There is no command notebook edt. Did you mean: granary notebook edit"],
    [["x.ipynb"], "What about x.ipynb? To run it: granary notebook run x.ipynb"],
    [["edit"], "Which notebook? As in: granary notebook edit analysis.ipynb"],
    [["edit", "x.ipynb"], "CELL is missing. See: granary notebook edit --help"],
    [["delete", "x.ipynb", "1", "2"], "2 is too much."],
    [["split", "x.ipynb", "1"], "split needs --line N"],
    [["move", "x.ipynb", "1", "up"], "TO takes a number"],
    [["insert", "x.ipynb", "--at", "1", "--after", "2", "--content", ""], "Give one of --at, --before and --after."],
    [["type", "x.ipynb", "0", "heading"], 'TYPE is one of code, markdown, raw; got "heading".'],
    [["insert", "x.ipynb", "--type", "heading", "--content", ""], "--type is one of code, markdown, raw"],
    [["delete", "missing.ipynb", "0"], "There is no notebook at"],
    [["validate", "missing.ipynb"], "There is no notebook at"],
    [["run", "x.ipynb", "--cells", "5-3"], "a range begins with the smaller number"],
    [["run", "x.ipynb", "--param", "n"], "--param takes NAME VALUE or NAME=VALUE"],
    [["run", "x.ipynb", "--timeout", "soon"], "--timeout takes seconds"],
    [["run", "x.ipynb", "--fresh", "--session", "a"], "Give one of --fresh and --session."],
    [["run", "x.ipynb", "--backend", "docker"], "--backend takes auto, runner, zmq, gateway"],
    [["text", "x.ipynb", "--format", "html"], "--format is cells or percent, not html."],
  ])("%j is wrong usage, and the answer says what would work", async (args, answer) => {
    if (args.includes("--format")) await notebook(["new", "x.ipynb"]);
    const { stderr, stdout, exitCode } = await notebook(args);
    expect(stderr).toContain(answer);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  });

  test("a missing cell is reported, and nothing is changed", async () => {
    const file = await notebookWith("a");
    const before = read(file);
    const { document, exitCode } = await notebookJson(["edit", file, "7", "--content", "b"]);
    expect(document).toMatchObject({ status: "failed", error: { code: "index-out-of-range" } });
    expect(exitCode).toBe(2);
    expect(read(file)).toBe(before);
  });

  test("a usage error with --json prints a JSON document", async () => {
    const { document, exitCode } = await notebookJson(["check", "a.ipynb", "b.ipynb"]);
    expect(document).toMatchObject({ status: "failed", error: { code: "usage" } });
    expect(exitCode).toBe(2);
  });

  test("a damaged file is reported with line and column, and left unchanged", async () => {
    writeFileSync(join(folder, "damaged.ipynb"), '{\n "cells": [,]\n}');
    const { stderr, exitCode } = await notebook(["show", "damaged.ipynb"]);
    expect(stderr).toMatch(/line 2, column 12/);
    expect(exitCode).toBe(3);
  });

  test("without a terminal or a text it does not wait for input", async () => {
    const file = await notebookWith("a");
    const { stderr, exitCode } = await notebook(["edit", file, "0"], { isTerminal: () => true });
    expect(stderr).toContain("Give the cell's source with --content, or on standard input.");
    expect(exitCode).toBe(2);
  });
});

test.each(
  "run verify check validate new show text write edit replace insert delete move type clear split merge".split(" "),
)("granary notebook %s --help teaches", async (command) => {
  const { stdout, exitCode } = await notebook([command, "--help"]);
  expect(stdout).toContain(`\n  granary notebook ${command} FILE`);
  expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(exitCode).toBe(0);
});

test("granary notebook without a command lists the commands", async () => {
  const { stdout, exitCode } = await notebook([]);
  expect(stdout).toContain("granary notebook run");
  expect(exitCode).toBe(2);
});
