import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createWriteTool } from "../../src/tools/write.ts";
import { notebookText, readCells } from "../execute/notebook-runs.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

async function write(path: string, content: string) {
  await using context = await contextIn(folder);
  const result = await createWriteTool(context).run({ path, content });
  return { ...result, text: textOf(result) };
}

describe("a file", () => {
  test("is made with missing folders, exactly as given", async () => {
    const content = "\ufeffone\r\ntwo \u{1f600}";
    const { text, details, structured } = await write("a/b/c.txt", content);
    expect(text).toBe("Created a/b/c.txt: 2 lines.");
    expect(readFileSync(at("a/b/c.txt"), "utf8")).toBe(content);
    const told = { path: at("a/b/c.txt"), created: true, bytes: Buffer.byteLength(content), lines: 2 };
    expect(details).toEqual({ ...told, text: content });
    expect(structured).toEqual(told);
    expect(readdirSync(at("a/b"))).toEqual(["c.txt"]);
  });

  test("that exists is replaced; its mode and the link to it stay", async () => {
    writeFileSync(at("old.sh"), "old");
    chmodSync(at("old.sh"), 0o700);
    symlinkSync("old.sh", at("link.sh"));
    expect((await write("link.sh", "new")).text).toBe("Wrote link.sh: 1 line.");
    expect(readFileSync(at("old.sh"), "utf8")).toBe("new");
    expect(lstatSync(at("link.sh")).isSymbolicLink()).toBe(true);
    expect(statSync(at("old.sh")).mode & 0o777).toBe(0o700);
  });

  test("with half of a character is refused, because UTF-8 cannot hold it", async () => {
    const { text, isError } = await write("half.txt", "one\ntwo \ud83d three");
    expect(isError).toBe(true);
    expect(text).toContain(
      "content has half of a character at line 2, \\ud83d, which UTF-8 cannot hold. Nothing was written.",
    );
    expect(readdirSync(folder)).not.toContain("half.txt");
  });

  test("may be empty", async () => {
    expect((await write("empty.txt", "")).details).toMatchObject({ created: true, bytes: 0, lines: 0 });
  });

  test.each([
    ["folder", /^Error: .*folder is a folder\. Name a file in it\./],
    ["file.txt/below.txt", /^Error: There is no .*: a part of that path is not a folder\./],
    ["/dev/null", /^Error: \/dev\/null is not a file but a pipe, a socket or a device\./],
  ])("%s cannot be written, and the error says so", async (path, expected) => {
    mkdirSync(at("folder"), { recursive: true });
    writeFileSync(at("file.txt"), "");
    expect((await write(path, "x")).text).toMatch(expected);
  });
});

describe("a notebook", () => {
  const text = "# %% [markdown]\n# # Title\n\n# %%\nprint(6 * 7)\n";

  test("is made from cell text, even in a missing folder", async () => {
    expect((await write("new/a.ipynb", text)).details).toMatchObject({ created: true });
    expect(readCells(at("new/a.ipynb"))).toMatchObject([
      { cell_type: "markdown", source: ["# Title"] },
      { cell_type: "code", source: ["print(6 * 7)"], outputs: [], execution_count: null },
    ]);
  });

  test("that exists keeps the outputs of the cells that the text names", async () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: ["1\n"] }];
    writeFileSync(at("b.ipynb"), notebookText(["gone", { source: "print(1)", outputs }]));
    await write("b.ipynb", "# %% [code] cell:1\nprint(1)\n# %% [code]\nnew\n");
    expect(readCells(at("b.ipynb"))).toMatchObject([
      { id: "cell-1", outputs },
      { source: ["new"], outputs: [] },
    ]);
  });

  test("may be written as JSON, which has to be a notebook", async () => {
    const json = notebookText(["x"]);
    await write("c.ipynb:raw", json);
    expect(readFileSync(at("c.ipynb"), "utf8")).toBe(json);
    await write("d.ipynb", json);
    expect(readFileSync(at("d.ipynb"), "utf8")).toBe(json);
    expect((await write("c.ipynb:raw", "{}")).isError).toBe(true);
    expect(readFileSync(at("c.ipynb"), "utf8")).toBe(json);
  });

  test("does not lose all its cells to an empty text", async () => {
    writeFileSync(at("full.ipynb"), notebookText(["kept"]));
    const { text, isError } = await write("full.ipynb", "");
    expect(text).toMatch(/^Error: The text has no cells, which would delete the notebook's only cell\./);
    expect(isError).toBe(true);
    expect(readCells(at("full.ipynb"))).toMatchObject([{ source: "kept" }]);
  });

  test("is not made from text without cells", async () => {
    expect((await write("e.ipynb", "print(1)")).text).toMatch(/^Error: The text has to begin with a cell marker/);
    expect(readdirSync(folder)).not.toContain("e.ipynb");
  });
});
