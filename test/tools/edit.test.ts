import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEditTool } from "../../src/tools/edit.ts";
import { replaceText } from "../../src/tools/files/text/replace-text.ts";
import { notebookText, readCells } from "../execute/notebook-runs.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const content = (name: string) => readFileSync(at(name), "utf8");

interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

async function edit(path: string, ...edits: readonly Replacement[]) {
  await using context = await contextIn(folder);
  const result = await createEditTool(context).run({ path, edits });
  return { ...result, text: textOf(result) };
}

describe("an edit", () => {
  test("replaces a text that occurs once, and reports the change", async () => {
    writeFileSync(at("a.py"), "one\ntwo\nthree\nfour\nfive\nsix\n");
    const { text, details, structured } = await edit("a.py", { old: "five", new: "5\n5.5" });
    expect(content("a.py")).toBe("one\ntwo\nthree\nfour\n5\n5.5\nsix\n");
    expect(text).toBe("Edited a.py: 1 replacement, at line 5.");
    expect(details).toEqual({
      path: at("a.py"),
      replacements: 1,
      diff: "@@ -2,5 +2,6 @@\n two\n three\n four\n-five\n+5\n+5.5\n six\n",
    });
    expect(structured).toEqual(details);
  });

  test("of a text that occurs several times is refused with the places, unless all is set", async () => {
    writeFileSync(at("b.py"), "x = 1\ny = 1\nx = 1\n");
    expect((await edit("b.py", { old: "x = 1", new: "x = 2" })).text).toBe(
      "Error: The text occurs 2 times, at lines 1, 3. Include more of the lines around the one you mean, or set all. Nothing was changed.",
    );
    expect(content("b.py")).toBe("x = 1\ny = 1\nx = 1\n");
    expect((await edit("b.py", { old: "x = 1", new: "x = 2", all: true })).details?.replacements).toBe(2);
    expect(content("b.py")).toBe("x = 2\ny = 1\nx = 2\n");
  });

  test("with several replacements makes all of them in order, or none", async () => {
    writeFileSync(at("c.py"), "a\nb\n");
    const refused = await edit("c.py", { old: "a", new: "A" }, { old: "zzz", new: "Z" });
    expect(refused.text).toBe(
      "Error: Edit 2 of 2: The text was not found. Read the file again: it may have changed. Nothing was changed.",
    );
    expect(content("c.py")).toBe("a\nb\n");
    await edit("c.py", { old: "a", new: "A" }, { old: "A\nb", new: "C" });
    expect(content("c.py")).toBe("C\n");
  });

  test.each([
    [
      "other white space",
      "if x:\n\treturn 1\n",
      "if x:\n    return 1",
      "At line 1 the same words have other white space",
    ],
    ["no white space", "debug = True\n", "debug=True", "At line 1 the same words have other white space"],
    ["another second line", "a\nb\nc\n", "b\nd", "Its first line is line 2, but line 3 differs."],
    ["nothing like it", "a\n", "b", "Read the file again"],
  ])("that finds %s says so", async (_what, text, old, expected) => {
    expect(() => replaceText(text, [{ old, new: "" }])).toThrow(expected);
  });

  test("that would change nothing, or everything, is refused", async () => {
    writeFileSync(at("d.py"), "a\n");
    expect((await edit("d.py", { old: "a", new: "a" })).text).toContain("Error: old and new are the same.");
    expect((await edit("d.py", { old: "", new: "a" })).text).toContain(
      "Error: old is empty, which matches everywhere.",
    );
    expect((await edit("d.py")).text).toBe("Error: edits: needs at least one edit");
  });

  test("treats characters of patterns literally", async () => {
    writeFileSync(at("e.py"), "price\n");
    await edit("e.py", { old: "price", new: "$& $1 $$ \\0" });
    expect(content("e.py")).toBe("$& $1 $$ \\0\n");
  });
});

describe("the file keeps", () => {
  test("its line ends, even when the model writes others", async () => {
    writeFileSync(at("crlf.txt"), "one\r\ntwo\r\nthree\r\n");
    await edit("crlf.txt", { old: "one\ntwo", new: "1\n2\n2.5" });
    expect(content("crlf.txt")).toBe("1\r\n2\r\n2.5\r\nthree\r\n");
    writeFileSync(at("mixed.txt"), "one\r\ntwo\nthree\r\n");
    await edit("mixed.txt", { old: "two\n", new: "2\n" });
    expect(content("mixed.txt")).toBe("one\r\n2\nthree\r\n");
  });

  test("its byte order mark and its missing last line end", async () => {
    writeFileSync(at("bom.txt"), "\ufeffone\ntwo");
    await edit("bom.txt", { old: "two", new: "2" });
    expect(content("bom.txt")).toBe("\ufeffone\n2");
  });

  test("its mode, and the link that leads to it", async () => {
    writeFileSync(at("script.sh"), "echo 1\n");
    chmodSync(at("script.sh"), 0o750);
    symlinkSync("script.sh", at("link.sh"));
    await edit("link.sh", { old: "1", new: "2" });
    expect(content("script.sh")).toBe("echo 2\n");
    expect(lstatSync(at("link.sh")).isSymbolicLink()).toBe(true);
    expect(statSync(at("script.sh")).mode & 0o777).toBe(0o750);
  });

  test("bytes that are not UTF-8: the edit is refused", async () => {
    const bytes = Buffer.from("caf\xe9 au lait\n", "latin1");
    writeFileSync(at("latin.txt"), bytes);
    expect((await edit("latin.txt", { old: "lait", new: "milk" })).text).toMatch(/^Error: .* is not valid UTF-8/);
    expect(readFileSync(at("latin.txt")).equals(bytes)).toBe(true);
  });
});

test("simultaneous edits of one file are all made", async () => {
  writeFileSync(at("many.txt"), Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(""));
  await using context = await contextIn(folder);
  const tool = createEditTool(context);
  const edits = Array.from({ length: 20 }, (_, index) => ({ old: `<${index}>`, new: `[${index}]` }));
  const results = await Promise.all(edits.map((each) => tool.run({ path: "many.txt", edits: [each] })));
  expect(results.every(({ isError }) => !isError)).toBe(true);
  expect(content("many.txt")).toBe(edits.map((each) => `${each.new}\n`).join(""));
});

test.each([
  ["gone.txt", /^Error: There is no /],
  [".", /^Error: .* is a folder\. Name a file in it\./],
  ["a.py:1-2", /^Error: Only read takes lines\. Name only the file: a\.py/],
  ["artifact://main-1", /^Error: .* cannot be changed/],
])("%s cannot be edited, and the error says so", async (path, expected) => {
  writeFileSync(at("a.py"), "x\n");
  expect((await edit(path, { old: "x", new: "y" })).text).toMatch(expected);
});

describe("a notebook", () => {
  test("of any size is refused before it is read, also as JSON", async () => {
    writeFileSync(at("huge.ipynb"), "");
    truncateSync(at("huge.ipynb"), 1.5e9);
    const replacement = { old: "a", new: "b" };
    expect((await edit("huge.ipynb", replacement)).text).toContain("huge.ipynb cannot be read: it is too large.");
    expect((await edit("huge.ipynb:raw", replacement)).text).toContain("huge.ipynb is too large to be edited here.");
  });

  test("is edited as cell text, and the cell keeps its id and outputs", async () => {
    const outputs = [{ output_type: "stream", name: "stdout", text: ["1\n"] }];
    writeFileSync(at("a.ipynb"), notebookText([{ source: "x = 1\nprint(x)", outputs }, "y = 2"]));
    const { text, details } = await edit("a.ipynb", { old: "x = 1", new: "x = 3" });
    expect(text).toBe("Edited a.ipynb: 1 replacement, at line 2.");
    expect(details?.diff).toContain("-x = 1\n+x = 3\n");
    expect(readCells(at("a.ipynb"))[0]).toMatchObject({ id: "cell-0", source: "x = 3\nprint(x)", outputs });
  });

  test("is edited as JSON with :raw, and stays a notebook", async () => {
    writeFileSync(at("b.ipynb"), notebookText(["x = 1"]));
    await edit("b.ipynb:raw", { old: "x = 1", new: "x = 4" });
    expect(readCells(at("b.ipynb"))[0]).toMatchObject({ source: "x = 4" });
    const before = content("b.ipynb");
    expect((await edit("b.ipynb:raw", { old: '"cells"', new: '"sells"' })).isError).toBe(true);
    expect(content("b.ipynb")).toBe(before);
  });

  test("that does not exist begins with an empty text", async () => {
    expect((await edit("new.ipynb", { old: "x", new: "y" })).text).toMatch(/^Error: There is no /);
    expect((await edit("new.ipynb", { old: "", new: "# %% [code]\n6 * 7\n" })).isError).toBe(false);
    expect(readCells(at("new.ipynb"))).toMatchObject([{ cell_type: "code", source: ["6 * 7"] }]);
  });

  test("is not saved when the resulting text has no cells", async () => {
    writeFileSync(at("c.ipynb"), notebookText(["x = 1"]));
    const before = content("c.ipynb");
    expect((await edit("c.ipynb", { old: "# %% [code] cell:0\n", new: "" })).text).toMatch(
      /^Error: The text has to begin with a cell marker/,
    );
    expect(content("c.ipynb")).toBe(before);
  });
});
