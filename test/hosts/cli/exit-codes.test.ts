import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { testFolder as cwd, granary } from "./granary.ts";

const cell = { cell_type: "code", metadata: {}, source: "1", outputs: [], execution_count: null };
const book = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 });
for (const name of ["a.ipynb", "b.ipynb", "existing.ipynb"]) writeFileSync(join(cwd, name), book);
writeFileSync(join(cwd, "a.html"), "mine");
writeFileSync(join(cwd, "broken.ipynb"), "{");
mkdirSync(join(cwd, "folder"));

const page = readFileSync(inRepository("docs/errors.md"), "utf8");
const table = /\| exit code \|[\s\S]*?\n\n/.exec(page)?.[0] ?? "";
const rows = [...table.matchAll(/^\| (\d+|any) \|.*\| `granary (.*)` \|$/gm)].map(([, code = "", line = ""]) => ({
  line,
  code: code === "any" ? 7 : Number(code),
}));

test("the page has an example for every code but those of signals", () => {
  expect(rows.map(({ code }) => code)).toEqual([0, 1, 2, 3, 124, 7]);
});

test.each(rows)("granary $line ends with $code, as docs/errors.md says", async ({ line, code }) => {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
  expect((await granary(words, { cwd })).exitCode).toBe(code);
});

describe("commands agree: what the request names wrongly is 2, what cannot be read is 3, a no is 1", () => {
  test.each([
    // There is no such file.
    [2, "run nosuch.py"],
    [2, "run --cwd nosuch -c 1"],
    [2, "notebook show nosuch.ipynb"],
    [2, "notebook run nosuch.ipynb"],
    [2, "notebook run a.ipynb -f nosuch.yaml"],
    [2, "notebook write a.ipynb --from nosuch.txt"],
    [2, "notebook diff a.ipynb nosuch.ipynb"],
    [2, "mcp --root nosuch"],
    // There is one already.
    [2, "notebook new existing.ipynb"],
    [2, "notebook export a.ipynb --to html"],
    // It is a folder.
    [2, "notebook new folder"],
    [2, "notebook show folder"],
    [2, "notebook export a.ipynb --to html -o folder"],
    [2, "notebook write a.ipynb --from folder"],
    // There is no such cell, option, command or value.
    [2, "notebook delete a.ipynb 7"],
    [2, "notebook delete a.ipynb -1"],
    [2, "notebook show a.ipynb --nosuch"],
    [2, "notebook nosuch"],
    [2, "run --timeout soon -c 1"],
    [2, "artifact nonsense"],
    // A file that is not what it should be, or cannot be written.
    [3, "notebook show broken.ipynb"],
    [3, "notebook validate broken.ipynb"],
    [3, "notebook run broken.ipynb"],
    [3, "notebook new nosuch/a.ipynb"],
    [3, "notebook export a.ipynb --to html -o nosuch/a.html"],
    [3, "run --python /nosuch/python -c 1"],
    [1, "run -c 1/0"],
    [1, "notebook find a.ipynb nosuchtext"],
    [1, "notebook check a.ipynb"],
    [1, "artifact artifact://main-999"],
    [0, "notebook diff a.ipynb b.ipynb"],
  ])("%i: granary %s", async (code, line) => {
    const { exitCode, stderr } = await granary(line.split(" "), { cwd });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: code });
    if (code >= 2) expect(stderr).toMatch(/^granary: \S.*\S\n$/);
  });
});
