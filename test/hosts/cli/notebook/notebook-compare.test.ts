import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../../scripts/repository.mjs";
import { diffNotebooks } from "../../../../src/notebook/diff/diff-notebooks.ts";
import { code, manyOf, markdown, notebookOf } from "../../../notebook/notebooks.ts";
import { folder, notebook, notebookJson } from "./notebook-command.ts";

interface CellContent {
  readonly id?: string;
  readonly type?: "code" | "markdown";
  readonly source: string;
  readonly printed?: string;
}

function save(name: string, cells: readonly CellContent[]): string {
  const content = cells.map(({ id, type = "code", source, printed }) => ({
    cell_type: type,
    ...(id === undefined ? {} : { id }),
    metadata: {},
    source,
    ...(type === "code" && {
      execution_count: null,
      outputs: printed === undefined ? [] : [{ output_type: "stream", name: "stdout", text: printed }],
    }),
  }));
  const minor = cells.every(({ id }) => id !== undefined) ? 5 : 4;
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ cells: content, metadata: {}, nbformat: 4, nbformat_minor: minor }, null, 1));
  return path;
}

describe("granary notebook diff", () => {
  const old = [
    { id: "a", source: "x = 1", printed: "1\n" },
    { id: "b", source: "first\nsecond" },
    { id: "c", source: "gone" },
    { id: "d", source: "# Title", type: "markdown" as const },
  ];

  test("is quick for any number of removed cells", () => {
    const changes = diffNotebooks(manyOf(code("a")), notebookOf([markdown("b")]));
    expect(changes).toHaveLength(200_001);
    expect(changes.at(-1)).toMatchObject({ change: "added", before: null });
    expect(changes.at(-2)).toMatchObject({ change: "removed", before: 199_999 });
  });

  test("reports the differences cell by cell, and ends with exit code 1", async () => {
    save("old.ipynb", old);
    save("new.ipynb", [
      { id: "d", source: "# Title", type: "markdown" },
      { id: "a", source: "x = 1", printed: "2\n" },
      { id: "b", source: "first\n2nd" },
      { id: "e", source: "new" },
    ]);
    const { stdout, exitCode } = await notebook(["diff", "old.ipynb", "new.ipynb"]);
    expect(stdout).toBe(
      [
        "--- old.ipynb",
        "+++ new.ipynb",
        "@@ cell 3 → 0: markdown d, moved @@",
        "@@ cell 0 → 1: code a, changed @@",
        "  outputs:",
        "-1",
        "+2",
        "@@ cell 1 → 2: code b, changed @@",
        " first",
        "-second",
        "+2nd",
        "@@ cell 2: code c, removed @@",
        "-gone",
        "@@ cell 3: code e, added @@",
        "+new",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(1);
    const { document } = await notebookJson(["diff", "old.ipynb", "new.ipynb", "--no-outputs"]);
    expect(document.changes.map(({ id, change }: { id: string; change: string }) => `${id} ${change}`)).toEqual([
      "d moved",
      "b changed",
      "c removed",
      "e added",
    ]);
  });

  test("prints nothing for equal notebooks", async () => {
    save("same.ipynb", old);
    save("also-same.ipynb", old);
    expect(await notebook(["diff", "same.ipynb", "also-same.ipynb"])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("matches cells without ids by source and position", async () => {
    save("old4.ipynb", [{ source: "import os" }, { source: "x = 1" }, { source: "print(x)" }]);
    save("new4.ipynb", [{ source: "import os" }, { source: "x = 2" }, { source: "print(x)" }]);
    const { stdout } = await notebook(["diff", "old4.ipynb", "new4.ipynb"]);
    expect(stdout.split("\n").slice(2)).toEqual(["@@ cell 1: code, changed @@", "-x = 1", "+x = 2", ""]);
  });

  test("shows names of files without their control codes and line breaks", async () => {
    save("a\u001b[2J\n+++ b.ipynb", [{ id: "a", source: "x = 1" }]);
    save("plain.ipynb", [{ id: "a", source: "x = 2" }]);
    const { stdout } = await notebook(["diff", "a\u001b[2J\n+++ b.ipynb", "plain.ipynb"]);
    expect(stdout).toMatch(/^--- a␛\[2J␊\+\+\+ b\.ipynb\n\+\+\+ plain\.ipynb\n/);
  });

  test("shows git's differences, including added and deleted files", () => {
    const repository = join(folder, "repository");
    mkdirSync(repository);
    const granary = `${process.execPath} ${inRepository("bin/granary")}`;
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: repository,
        encoding: "utf8",
      });
    git("init", "-q");
    git("config", "diff.granary.command", `${granary} notebook diff --git`);
    writeFileSync(join(repository, ".gitattributes"), "*.ipynb diff=granary\n");
    const path = save("repository/one.ipynb", [{ id: "a", source: "x = 1" }]);
    git("add", ".");
    expect(git("diff", "--ext-diff", "--cached")).toContain("+++ one.ipynb\n@@ cell 0: code a, added @@\n+x = 1\n");
    git("commit", "-qm", "one");
    writeFileSync(path, readFileSync(path, "utf8").replace("x = 1", "x = 2"));
    expect(git("diff")).toBe("--- one.ipynb\n+++ one.ipynb\n@@ cell 0: code a, changed @@\n-x = 1\n+x = 2\n");
  });

  test("requires two notebooks", async () => {
    expect(await notebook(["diff", "old.ipynb"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/takes two notebooks/),
    });
  });
});

describe("granary notebook find", () => {
  test("prints the matching lines with cell and line number, and ends with exit code 1 when there are none", async () => {
    save("found.ipynb", [
      { id: "a", source: "import pandas as pd\ndf = pd.read_csv('x.csv')" },
      { id: "b", source: "Read_CSV is *used*", type: "markdown" },
    ]);
    const find = async (...args: string[]) => {
      const { stdout, exitCode } = await notebook(["find", "found.ipynb", ...args]);
      return { stdout, exitCode };
    };
    expect(await find("read_csv(")).toEqual({ stdout: "0:2: df = pd.read_csv('x.csv')\n", exitCode: 0 });
    expect((await find("-e", "-i", "^read_\\w+")).stdout).toBe("1:1: Read_CSV is *used*\n");
    expect((await find("-i", "csv", "--type", "markdown")).stdout).toBe("1:1: Read_CSV is *used*\n");
    expect(await find("absent")).toEqual({ stdout: "", exitCode: 1 });
    expect(await notebook(["find", "found.ipynb", "-e", "("])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/no regular expression/),
    });
  });
});

describe("granary notebook tag", () => {
  test("changes the tags and no other byte", async () => {
    const path = save("tagged.ipynb", [{ id: "a", source: "n = 1" }]);
    const before = readFileSync(path, "utf8");
    expect((await notebook(["tag", "tagged.ipynb", "0"])).stdout).toBe("Cell 0 has no tags.\n");
    const added = await notebook(["tag", "tagged.ipynb", "a", "--add", "parameters, slow"]);
    expect(added.stdout).toBe("Cell 0 has the tags parameters, slow.\n");
    expect(readFileSync(path, "utf8").replace(/\{\s*"tags": \[[^\]]*\]\s*\}/, "{}")).toBe(before);
    const { document } = await notebookJson(["tag", "tagged.ipynb", "0", "--remove", "slow"]);
    expect(document.tags).toEqual(["parameters"]);
  });

  test("--add and --remove can be repeated", async () => {
    save("repeated.ipynb", [{ id: "a", source: "n = 1" }]);
    const added = await notebookJson(["tag", "repeated.ipynb", "0", "--add", "one", "--add", "two,three"]);
    expect(added.document.tags).toEqual(["one", "two", "three"]);
    const removed = await notebookJson(["tag", "repeated.ipynb", "0", "--remove", "one", "--remove", "two"]);
    expect(removed.document.tags).toEqual(["three"]);
  });
});
