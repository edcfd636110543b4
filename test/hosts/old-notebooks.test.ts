import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { createEditTool } from "../../src/tools/edit.ts";
import { createNotebookTool } from "../../src/tools/notebook.ts";
import { createReadTool } from "../../src/tools/read.ts";
import { createWriteTool } from "../../src/tools/write.ts";
import { notebookFile, readCells, runtime, shownBy } from "../execute/notebook-runs.ts";
import { contextIn, textOf } from "../tools/contexts.ts";
import { folder, notebook, typed } from "./cli/notebook/notebook-command.ts";
import { opened } from "./tui/notebook/opened.ts";

const old = `${JSON.stringify({
  metadata: { name: "old" },
  nbformat: 3,
  nbformat_minor: 0,
  worksheets: [
    {
      cells: [
        { cell_type: "heading", level: 2, metadata: {}, source: ["Title"] },
        {
          cell_type: "code",
          input: ["print(6 * 7)"],
          language: "python",
          metadata: {},
          outputs: [{ output_type: "stream", stream: "stdout", text: ["42\n"] }],
          prompt_number: 1,
        },
      ],
    },
  ],
})}\n`;
const path = join(folder, "old.ipynb");
const content = () => readFileSync(path, "utf8");
const remedy = `old.ipynb is in nbformat 3, and Granary edits nbformat 4. Nothing was changed. Upgrade it with: granary notebook validate --upgrade ${path}`;

beforeEach(() => writeFileSync(path, old));

describe("a notebook of nbformat 3 is read, and its file left unchanged, by", () => {
  test.each<[command: string, args: readonly string[], shown: RegExp]>([
    ["show", ["old.ipynb"], /## Title[\s\S]*print\(6 \* 7\)[\s\S]*42/],
    ["text", ["old.ipynb"], /# %% \[code\] cell:1\nprint\(6 \* 7\)/],
    ["find", ["old.ipynb", "print"], /^1:1: print/],
    ["diff", ["old.ipynb", "old.ipynb"], /^$/],
    ["verify", ["old.ipynb"], /shows? what the notebook shows/],
    ["export", ["old.ipynb", "--to", "script", "-o", "-"], /print\(6 \* 7\)/],
    ["export", ["old.ipynb", "--to", "html", "-o", "-"], /Title<\/h2>/],
  ])("granary notebook %s %j", async (command, args, shown) => {
    const { stdout, stderr, exitCode } = await notebook([command, ...args]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(shown)]);
    expect(stderr).not.toContain("nbformat");
    expect(content()).toBe(old);
  });

  test("granary notebook check and validate, which report problems", async () => {
    expect((await notebook(["check", "old.ipynb"])).stderr).not.toContain("nbformat");
    const { stdout, exitCode } = await notebook(["validate", "old.ipynb"]);
    expect([exitCode, stdout]).toEqual([
      1,
      "nbformat is 3, and nbformat 4 is the current one; --upgrade makes it nbformat 4.5\n",
    ]);
    expect(content()).toBe(old);
  });

  test("the tools read and notebook", async () => {
    await using context = await contextIn(folder);
    expect(textOf(await createReadTool(context).run({ path: "old.ipynb" }))).toContain("## Title");
    const shown = await createNotebookTool(context).run({ action: "show", path: "old.ipynb" });
    expect(textOf(shown)).toContain("print(6 * 7)");
    expect(content()).toBe(old);
  });

  test("the notebook view, which says that a save upgrades it", async () => {
    const { terminal } = await opened({ path });
    await terminal.shows("In nbformat 3: a save upgrades it to nbformat 4.5.");
    await terminal.shows("print(6 * 7)");
    expect(content()).toBe(old);
  });
});

describe("a notebook of nbformat 3 is not edited: one sentence names the remedy, by", () => {
  test.each([["edit", "1", "--content", "x"], ["delete", "0"], ["clear"], ["tag", "1", "--add", "slow"]])(
    "granary notebook %s",
    async (command, ...args) => {
      const { stderr, exitCode } = await notebook([command, "old.ipynb", ...args]);
      expect([exitCode, stderr]).toEqual([3, `granary: ${remedy}\n`]);
      expect(content()).toBe(old);
    },
  );

  test("granary notebook write", async () => {
    const { stderr, exitCode } = await notebook(["write", "old.ipynb"], typed("# %% [code]\n1\n"));
    expect([exitCode, stderr]).toEqual([3, `granary: ${remedy}\n`]);
    expect(content()).toBe(old);
  });

  test("the tools notebook, edit and write", async () => {
    await using context = await contextIn(folder);
    const results = [
      await createNotebookTool(context).run({ action: "insert", path: "old.ipynb", content: "1" }),
      await createEditTool(context).run({ path: "old.ipynb", edits: [{ old: "6", new: "7" }] }),
      await createWriteTool(context).run({ path: "old.ipynb", content: "# %% [code]\n1\n" }),
    ];
    for (const result of results) expect(textOf(result)).toBe(`Error: ${remedy}`);
    expect(content()).toBe(old);
  });
});

describe("a notebook of nbformat 3 is upgraded", () => {
  const expectUpgraded = (file = path) => {
    const now = parseNotebook(readFileSync(file));
    expect(now.upgradedFrom).toBeUndefined();
    expect(validateNotebook(now)).toEqual([]);
    expect(shownBy(file)).toEqual([[], ["stdout: 42\n"]]);
  };

  test("when granary notebook run saves it, with a message", async () => {
    const { stderr, exitCode } = await notebook(["run", "old.ipynb"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("granary: The notebook was in nbformat 3. It was saved in nbformat 4.5.\n");
    expectUpgraded();
  });

  test("in the file that --out names, and not in its own", async () => {
    const { stderr, exitCode } = await notebook(["run", "old.ipynb", "--out", "out.ipynb"]);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("nbformat")]);
    expectUpgraded(join(folder, "out.ipynb"));
    expect(content()).toBe(old);
  });

  test("when the library or the tool runs it", async () => {
    await using granary = await runtime();
    await runNotebook(granary.session(), path);
    expectUpgraded();
    writeFileSync(path, old);
    await using context = await contextIn(folder);
    const ran = await createNotebookTool(context).run({ action: "run", path: "old.ipynb" });
    expect(textOf(ran)).toContain("It was saved in nbformat 4.5.");
    expectUpgraded();
  });

  test("by granary notebook validate --upgrade", async () => {
    expect((await notebook(["validate", "old.ipynb", "--upgrade"])).exitCode).toBe(0);
    expectUpgraded();
  });

  test("not when no cell could run", async () => {
    const { stderr, exitCode } = await notebook(["run", "old.ipynb", "--python", "/no/such/python"]);
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining("/no/such/python")]);
    expect(exitCode).not.toBe(0);
    expect(content()).toBe(old);
  });
});

describe("a cell of unknown type", () => {
  const strange = { cell_type: "heading", level: 1, source: "Title" };

  test("is not run and does not stop the others, and the run names it", async () => {
    await using granary = await runtime();
    const file = notebookFile(["print(1)", strange, "print(2)"]);
    const run = await runNotebook(granary.session(), file);
    expect(run).toMatchObject({
      status: "ok",
      notices: ["Cell 1 has a type that Granary does not know, and was not run."],
    });
    expect(shownBy(file)).toEqual([["stdout: 1\n"], [], ["stdout: 2\n"]]);
    expect(readCells(file)[1]).toMatchObject(strange);
  });

  test("is shown by commands and tools, and not edited in the view until its type is changed", async () => {
    const file = notebookFile([strange, "x = 1"]);
    expect((await notebook(["show", file])).stdout).toMatch(/cell 0: unknown.*\n+Title/);
    expect((await notebook(["export", file, "--to", "html", "-o", "-"])).stdout).toContain("Title");
    const { terminal } = await opened({ path: file });
    terminal.type("\r");
    await terminal.shows("This cell has an unknown type. Change its type to edit it.");
  });
});
