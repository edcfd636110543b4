import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notebookText, shownBy } from "../../../execute/notebook-runs.ts";
import { keys } from "../../../terminal/keys.ts";
import { testFolder } from "../granary.ts";
import { granaryInTerminal } from "../terminal.ts";
import { folder, notebook, notebookJson } from "./notebook-command.ts";

let last = 0;

function notebookFile(cells: Parameters<typeof notebookText>[0], inFolder = folder): string {
  const file = `several${++last}.ipynb`;
  writeFileSync(join(inFolder, file), notebookText(cells));
  return file;
}

describe("granary notebook run with several notebooks", () => {
  test("runs all even if one fails, with a line for each and one verdict", async () => {
    const good = notebookFile(["x = 1", "print(x)"]);
    const bad = notebookFile(["1 / 0", "2"]);
    const { stdout, stderr, exitCode } = await notebook(["run", good, bad, "nowhere.ipynb", "--jobs", "2"]);
    expect(exitCode).toBe(1);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(new RegExp(`^ok +${good} +\\d+\\.\\d s +2 cells$`));
    expect(lines[1]).toMatch(new RegExp(`^error +${bad} +\\d+\\.\\d s +cell 0: ZeroDivisionError: division by zero$`));
    expect(lines[2]).toMatch(/^failed +nowhere\.ipynb +\d+\.\d s +There is no notebook at /);
    expect(lines[3]).toBe("1 of 3 notebooks succeeded.");
    expect(stderr).toMatch(new RegExp(`^${good} \\(\\d of 3\\): ok, \\d+\\.\\d s$`, "m"));
    expect(stderr).toContain(`\n${bad}\nCell 0 (cell-0) failed: ZeroDivisionError`);
    expect(shownBy(join(folder, good))).toEqual([[], ["stdout: 1\n"]]);
  });

  test("that are missing are named once, with the exit code of one that is missing", async () => {
    const { stdout, stderr, exitCode } = await notebook(["run", "nowhere.ipynb", "nowhere-else.ipynb"]);
    expect(exitCode).toBe((await notebook(["run", "nowhere.ipynb"])).exitCode);
    expect(exitCode).toBe(2);
    expect(stdout.match(/There is no notebook at/g)).toHaveLength(2);
    expect(stderr).not.toContain("There is no notebook at");
  });

  test("prints one JSON document, with an entry for each", async () => {
    const files = [notebookFile(["1"]), notebookFile(["import sys", "1 / 0"]), "nowhere.ipynb"];
    const { document, exitCode, stderr } = await notebookJson(["run", ...files]);
    expect({ exitCode, stderr, status: document.status }).toEqual({ exitCode: 1, stderr: "", status: "error" });
    expect(document.notebooks).toMatchObject([
      { notebook: files[0], status: "ok", error: null, path: join(folder, files[0] as string), failed: null },
      { notebook: files[1], status: "error", failed: 1, cells: [{ status: "ok" }, { status: "error" }] },
      { notebook: files[2], status: "failed", error: { code: "missing-file" }, cells: [], kernel: null },
    ]);
  });

  test("runs each in its own folder, even more notebooks than sessions may have kernels", async () => {
    const files = Array.from({ length: 6 }, (_, index) => {
      mkdirSync(join(folder, `in${index}`), { recursive: true });
      const file = notebookFile(["import os", "print(os.path.basename(os.getcwd()))"], join(folder, `in${index}`));
      return `in${index}/${file}`;
    });
    const { stdout, exitCode } = await notebook(["run", ...files, "-j", "6"]);
    expect(stdout).toContain("6 of 6 notebooks succeeded.");
    expect(exitCode).toBe(0);
    const shown = files.map((file) => shownBy(join(folder, file))[1]);
    expect(shown).toEqual(files.map((_, index) => [`stdout: in${index}\n`]));
  });

  test("saves the results in another folder", async () => {
    const files = [notebookFile(["print(1)"]), notebookFile(["print(2)"])];
    const before = readFileSync(join(folder, files[0] as string));
    await notebook(["run", ...files, "-o", "results/today"]);
    expect(files.map((file) => shownBy(join(folder, "results/today", file)))).toEqual([
      [["stdout: 1\n"]],
      [["stdout: 2\n"]],
    ]);
    expect(readFileSync(join(folder, files[0] as string))).toEqual(before);
  });

  test.each([
    [["run", "a.ipynb", "b.ipynb", "--from", "1"], "--from is for one notebook"],
    [["run", "a.ipynb", "b.ipynb", "--session", "x"], "--session is for one notebook"],
    [["run", "a.ipynb", "b.ipynb", "--jobs", "none"], '--jobs takes a number of notebooks, as in --jobs 4; got "none"'],
    [["run", "a/x.ipynb", "b/x.ipynb", "-o", "out"], "Two of the notebooks are named x.ipynb"],
    [["run", "a.ipynb", "./a.ipynb"], "a.ipynb is in the list twice. Name each notebook once."],
  ])("refuses %j", async (args, sentence) => {
    const { stderr, exitCode } = await notebook(args);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  test("in a terminal shows the progress; Ctrl-C stops all, saves the outputs and starts no other", async () => {
    const cells = ["print('kept')", "import time\ntime.sleep(600)", "3"];
    const [one = "", two = "", three = ""] = [1, 2, 3].map(() => notebookFile(cells, testFolder));
    const { screen, exitCode } = await granaryInTerminal(
      ["notebook", "run", one, two, three, "-j", "2"],
      [{ after: `0 of 3 done · ${one} 2/3 · ${two} 2/3`, type: keys.ctrl("c") }],
    );
    expect(exitCode).toBe(130);
    expect(screen).toContain("0 of 3 notebooks succeeded.");
    expect(screen).toMatch(new RegExp(`^cancelled +${three} +0\\.0 s +not begun$`, "m"));
    const shown = [one, two, three].map((file) => shownBy(join(testFolder, file))[0]);
    expect(shown).toEqual([["stdout: kept\n"], ["stdout: kept\n"], []]);
  });
});
