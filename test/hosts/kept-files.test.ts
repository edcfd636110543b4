import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { editNotebookFile } from "../../src/notebook/file/edit-notebook-file.ts";
import { createEditTool } from "../../src/tools/edit.ts";
import { createNotebookTool } from "../../src/tools/notebook.ts";
import { createWriteTool } from "../../src/tools/write.ts";
import { notebookText, runtime } from "../execute/notebook-runs.ts";
import { contextIn } from "../tools/contexts.ts";
import { folder, notebook } from "./cli/notebook/notebook-command.ts";
import { opened } from "./tui/notebook/opened.ts";

/** Every way to change a notebook's file. */
const doors: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "granary notebook edit": (path) => notebook(["edit", path, "0", "--content", "y = 2"]),
  "granary notebook run": (path) => notebook(["run", path]),
  "granary notebook run --out": (path) => notebook(["run", "source.ipynb", "--out", path]),
  "granary notebook tag": (path) => notebook(["tag", path, "0", "--add", "slow"]),
  "the tool notebook": async (path) => {
    await using context = await contextIn(folder);
    return await createNotebookTool(context).run({ action: "insert", path, content: "y = 2" });
  },
  "the tool edit": async (path) => {
    await using context = await contextIn(folder);
    return await createEditTool(context).run({ path, edits: [{ old: "x = 1", new: "x = 2" }] });
  },
  "the tool write": async (path) => {
    await using context = await contextIn(folder);
    return await createWriteTool(context).run({ path, content: notebookText(["x = 3"]) });
  },
  editNotebookFile: (path) => editNotebookFile(path, [{ action: "insert", content: "y = 2" }]),
  runNotebook: async (path) => {
    await using granary = await runtime();
    return await runNotebook(granary.session(), path);
  },
  "the notebook view": async (path) => {
    const { terminal, text } = await opened({ path });
    const before = text();
    terminal.type("r");
    await expect.poll(text).not.toBe(before);
    // The view may be at its last save.
    await terminal.shows(/✓/);
  },
};

let last = 0;
const before = notebookText(["x = 1"]);
writeFileSync(join(folder, "source.ipynb"), before);

function notebookIn(place: string): string {
  mkdirSync(join(folder, place));
  const path = join(folder, place, "a.ipynb");
  writeFileSync(path, before);
  return path;
}

describe.each(Object.entries(doors))("%s", (_door, change) => {
  test.each(["0600", "0644", "0755", "2664"])("keeps mode %s, and the owner where root writes", async (octal) => {
    const mode = Number.parseInt(octal, 8);
    const path = notebookIn(`modes-${++last}`);
    if (process.getuid?.() === 0) chownSync(path, 1234, 2345);
    chmodSync(path, mode);
    const { uid, gid } = statSync(path);
    await change(path);
    expect(readFileSync(path, "utf8")).not.toBe(before);
    const after = statSync(path);
    expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([mode, uid, gid]);
  });

  test("changes a file with several names under all of them, even through a symbolic link", async () => {
    const path = notebookIn(`links-${++last}`);
    const second = path.replace("a.ipynb", "b.ipynb");
    const link = path.replace("a.ipynb", "link.ipynb");
    linkSync(path, second);
    symlinkSync("b.ipynb", link);
    await change(link);
    expect(readFileSync(second, "utf8")).not.toBe(before);
    expect(readFileSync(second, "utf8")).toBe(readFileSync(path, "utf8"));
    expect(statSync(path).nlink).toBe(2);
    await expect.poll(() => readdirSync(join(path, "..")).sort()).toEqual(["a.ipynb", "b.ipynb", "link.ipynb"]);
  });
});
