import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, notebook } from "./notebook-command.ts";

const cell = (source: string) => ({ cell_type: "code", metadata: {}, source, outputs: [], execution_count: null });
const book = (...sources: string[]) =>
  JSON.stringify({ cells: sources.map(cell), metadata: {}, nbformat: 4, nbformat_minor: 4 });
writeFileSync(join(folder, "book.ipynb"), book("a = a", "b"));
mkdirSync(join(folder, "folder"));
writeFileSync(join(folder, "huge.ipynb"), "");
truncateSync(join(folder, "huge.ipynb"), 1.5e9);
symlinkSync("loop.yaml", join(folder, "loop.yaml"));
symlinkSync("loop.ipynb", join(folder, "loop.ipynb"));

describe("a remedy names the option of the command", () => {
  test.each([
    [["new", "book.ipynb"], "book.ipynb exists already. Add --overwrite, or choose another name."],
    [["new", "folder"], "folder is a folder. Name a file in it."],
    [["new", "notes.txt"], "The name of a notebook ends with .ipynb, and notes.txt does not."],
    [["insert", "book.ipynb", "-c", "a", "-c", "b"], "insert takes one --content, and got 2: one cell each."],
    [["edit", "book.ipynb", "0", "-c", "a", "-c", "b"], "edit takes one --content, and got 2: one cell each."],
    [
      ["replace", "book.ipynb", "0", "--old", "a", "--new", "b"],
      "Cell 0 contains that text 2 times. Give more of it with --old, or add --all.",
    ],
    [
      ["replace", "book.ipynb", "0", "--old", "z", "--new", "b"],
      "Cell 0 does not contain the text of --old. It has to match exactly, including white space: granary notebook show book.ipynb --cells 0",
    ],
    [
      ["replace", "book.ipynb", "0", "--old", "", "--new", "b"],
      "--old is empty, which is everywhere. Give the text to replace.",
    ],
    [
      ["merge", "book.ipynb", "0", "--count", "1"],
      "--count is how many cells become one, so it takes 2 or more; got 1.",
    ],
    [["merge", "book.ipynb", "0", "--count", "3"], "Cell 0 cannot be merged: there is only 1 cell after it."],
  ])("%j", async (args, sentence) => {
    expect(await notebook(args)).toEqual({ stdout: "", stderr: `granary: ${sentence}\n`, exitCode: 2 });
  });
});

describe("a negative index is no option", () => {
  const sentence = "granary: There is no cell -1: cells count from 0, and the last is cell 1.\n";
  test.each([
    [["edit", "book.ipynb", "-1", "--content", "x"]],
    [["delete", "book.ipynb", "-1"]],
    [["move", "book.ipynb", "0", "-1"]],
    [["tag", "book.ipynb", "-1"]],
    [["show", "book.ipynb", "--cells", "-1"]],
    [["insert", "book.ipynb", "--before", "-1", "--content", "x"]],
    [["run", "book.ipynb", "--from", "-1"]],
  ])("%j", async (args) => {
    expect(await notebook(args)).toMatchObject({ stderr: sentence, exitCode: 2 });
    expect(readFileSync(join(folder, "book.ipynb"), "utf8")).toBe(book("a = a", "b"));
  });

  test("a letter behind a dash still is one", async () => {
    expect((await notebook(["delete", "book.ipynb", "-x"])).stderr).toBe("granary: Unknown option -x.\n");
  });
});

describe("a path that cannot be read is reported in one plain sentence", () => {
  test.each([
    [["run", "book.ipynb", "-f", "nosuch.yaml"], "The parameters in nosuch.yaml cannot be read: it does not exist."],
    [["run", "book.ipynb", "-f", "folder"], "The parameters in folder cannot be read: it is a folder, not a file."],
    [
      ["run", "book.ipynb", "-f", "loop.yaml"],
      "The parameters in loop.yaml cannot be read: its links lead in a circle.",
    ],
    [
      ["run", "book.ipynb", "-f", "book.ipynb/x.yaml"],
      "The parameters in book.ipynb/x.yaml cannot be read: a part of its path is not a folder.",
    ],
    [["write", "book.ipynb", "--from", "nosuch.txt"], "nosuch.txt cannot be read: it does not exist."],
    [["write", "book.ipynb", "--from", "folder"], "folder cannot be read: it is a folder, not a file."],
    [["show", "folder"], `${folder}/folder cannot be read: it is a folder, not a file.`],
    [["show", "book.ipynb/x"], `${folder}/book.ipynb/x cannot be read: a part of its path is not a folder.`],
    [
      ["run", "book.ipynb", "folder/b.ipynb", "--out", "book.ipynb"],
      "With several notebooks, --out names a folder. book.ipynb cannot be one: there is something else in its place.",
    ],
  ])("%j", async (args, sentence) => {
    expect(await notebook(args)).toEqual({ stdout: "", stderr: `granary: ${sentence}\n`, exitCode: 2 });
  });

  test("a notebook that fills the memory", async () => {
    const { stderr, exitCode } = await notebook(["show", "huge.ipynb"]);
    expect(stderr).toBe(`granary: ${folder}/huge.ipynb cannot be read: it is too large.\n`);
    expect(exitCode).toBe(3);
  });

  test("a notebook behind a circle of links", async () => {
    const { stderr, exitCode } = await notebook(["show", "loop.ipynb"]);
    expect(stderr).toBe(`granary: ${folder}/loop.ipynb cannot be read: its links lead in a circle.\n`);
    expect(exitCode).toBe(3);
  });
});

describe("-b", () => {
  test.each([
    ["!!!", "is not base64."],
    ["eDogM", "is not base64."],
    ["eDogMQ=", "is not base64."],
    ["/////w==", "the encoded text is not UTF-8."],
  ])("%s is refused", async (given, sentence) => {
    const { stderr, exitCode } = await notebook(["run", "book.ipynb", "-b", given]);
    expect(stderr).toMatch(/^granary: --param-base64 takes YAML in base64; /);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });
});

describe("an edit that changes nothing says so", () => {
  test.each([
    [
      ["replace", "book.ipynb", "0", "--old", "a = a", "--new", "a = a"],
      "Nothing changed: cell 0 has that source already.",
    ],
    [["edit", "book.ipynb", "1", "--content", "b"], "Nothing changed: cell 1 has that source already."],
    [["move", "book.ipynb", "1", "1"], "Nothing changed: it is cell 1 already."],
    [["type", "book.ipynb", "1", "code"], "Nothing changed: cell 1 has that type already."],
    [["clear", "book.ipynb"], "Nothing changed: no cell has outputs."],
    [["clear", "book.ipynb", "0"], "Nothing changed: cell 0 has no outputs."],
  ])("%j", async (args, sentence) => {
    expect(await notebook(args)).toEqual({ stdout: `${sentence}\n`, stderr: "", exitCode: 0 });
    expect(JSON.parse((await notebook([...args, "--json"])).stdout)).toMatchObject({ changed: false });
  });
});
