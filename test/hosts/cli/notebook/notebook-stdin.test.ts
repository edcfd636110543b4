import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, notebook, notebookJson, typed } from "./notebook-command.ts";

const cell = {
  cell_type: "code",
  id: "first",
  metadata: {},
  source: ["x = 6\n", "x * 7"],
  outputs: [],
  execution_count: null,
};
const text = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
writeFileSync(join(folder, "same.ipynb"), text);

describe("- is the notebook on standard input", () => {
  test.each([
    [["show", "-"], 0, "# cell 0: code first\nx = 6\nx * 7\n\n"],
    [["text", "-"], 0, "# %% [code] cell:0\nx = 6\nx * 7\n"],
    [["find", "-", "x *"], 0, "0:2: x * 7\n"],
    [["validate", "-"], 0, "- is valid nbformat 4.5.\n"],
    [["diff", "-", "same.ipynb"], 0, ""],
    [["diff", "same.ipynb", "-"], 0, ""],
    [["export", "-", "--to", "script"], 0, expect.stringContaining("x = 6\nx * 7\n")],
    [["run", "--help-notebook", "-"], 1, expect.stringContaining("No cell tagged")],
    [["check", "-"], 1, expect.stringContaining("never")],
  ])("for %j", async (args, exitCode, stdout) => {
    expect(await notebook(args, typed(text))).toEqual({ stdout, stderr: "", exitCode });
  });

  test("it has no path", async () => {
    expect((await notebookJson(["show", "-"], typed(text))).document).toMatchObject({ status: "ok", path: null });
  });

  test.each([
    ["", "Standard input is empty, and - reads a notebook from it. Pipe one in, or name a file."],
    ["{", "Standard input is not valid JSON at line 1, column 2: "],
    ['{"cells": 5, "nbformat": 4, "nbformat_minor": 5}', 'Standard input is not a notebook: its "cells" have to be'],
  ])("%j is refused without a word about a file that nobody named", async (given, sentence) => {
    for (const command of ["show", "run", "check"]) {
      const { stderr, exitCode } = await notebook([command, "-"], typed(given));
      expect(stderr).toContain(`granary: ${sentence}`);
      expect(stderr).not.toMatch(/stdin\.ipynb|The file/);
      expect(exitCode).toBe(2);
    }
  });

  test.each([
    [["edit", "-", "0"]],
    [["tag", "-", "0"]],
    [["write", "-"]],
    [["verify", "-"]],
    [["new", "-"]],
    [["open", "-"]],
  ])("%j needs a file, and says which commands do not", async (args) => {
    const { stderr, exitCode } = await notebook(args, typed(text));
    expect(stderr).toMatch(/granary notebook \w+ needs a file\. Standard input \(-\) is for show, text/);
    expect(exitCode).toBe(2);
  });

  test("two of them cannot be compared, and none can be upgraded in place", async () => {
    expect(await notebook(["diff", "-", "-"], typed(text))).toMatchObject({
      stderr: "granary: Standard input (-) holds one notebook: name a file for the other.\n",
      exitCode: 2,
    });
    expect((await notebook(["validate", "-", "--upgrade"], typed(text))).stderr).toContain("--upgrade changes a file");
    expect(readFileSync(join(folder, "same.ipynb"), "utf8")).toBe(text);
  });
});
