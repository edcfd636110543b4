import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBashTool } from "../../src/tools/bash.ts";
import type { ToolResult } from "../../src/tools/definition/tool.ts";
import { createEditTool } from "../../src/tools/edit.ts";
import { namedFile } from "../../src/tools/files/named-file.ts";
import { openFile } from "../../src/tools/files/open-file.ts";
import { updateTextFile } from "../../src/tools/files/update-text-file.ts";
import { createNotebookTool } from "../../src/tools/notebook.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { createReadTool } from "../../src/tools/read.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { createWriteTool } from "../../src/tools/write.ts";
import { notebookText } from "../execute/notebook-runs.ts";
import { runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const project = join(folder, "project");
const outside = join(folder, "outside");
mkdirSync(join(project, "sub"), { recursive: true });
mkdirSync(outside);
writeFileSync(join(project, "inside.txt"), "inside\n");
writeFileSync(join(outside, "secret.txt"), "secret\n");
writeFileSync(join(outside, "a.ipynb"), notebookText(["1"]));
symlinkSync("../outside", join(project, "way-out"));
symlinkSync(join(outside, "secret.txt"), join(project, "secret-link"));
symlinkSync(join(outside, "not-yet.txt"), join(project, "dangling"));
symlinkSync("inside.txt", join(project, "inner-link"));
symlinkSync(project, join(folder, "project-link"));
mkdirSync(join(folder, "project-2"));
writeFileSync(join(folder, "project-2/other.txt"), "");

/** All tools that take a path, with a call of each. */
async function tryAll(path: string, roots: readonly string[] = [project]) {
  await using context = await contextIn(folder, { cwd: project, roots });
  const calls = {
    read: () => createReadTool(context).run({ path }),
    edit: () => createEditTool(context).run({ path, edits: [{ old: "secret", new: "public" }] }),
    write: () => createWriteTool(context).run({ path, content: "overwritten\n" }),
    notebook: () => createNotebookTool(context).run({ action: "show", path }),
  };
  const texts: Record<string, string> = {};
  for (const [name, run] of Object.entries(calls)) texts[name] = textOf(await run());
  return texts;
}

describe("tools that are limited to a folder", () => {
  test.each([
    ["a path out of it", "../outside/secret.txt"],
    ["an absolute path", join(outside, "secret.txt")],
    ["a link to a file", "secret-link"],
    ["a link to a folder", "way-out/secret.txt"],
    ["a link to a folder, and a file that is not there yet", "way-out/new/file.txt"],
    ["a link to what is not there yet", "dangling"],
    ["a path that goes through a folder that is not there", "no-such/../../outside/secret.txt"],
    ["a folder whose name begins like theirs", "../project-2/other.txt"],
    ["the folder above", ".."],
  ])("refuse %s", async (_what, path) => {
    const texts = await tryAll(path);
    for (const text of Object.values(texts)) {
      expect(text).toMatch(/^Error: .* is not in .*project, and no other folder is allowed\.$/s);
    }
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
    expect(existsSync(join(outside, "new"))).toBe(false);
    expect(existsSync(join(outside, "not-yet.txt"))).toBe(false);
  });

  test("accept paths inside, by any name, and in any of several folders", async () => {
    await using context = await contextIn(folder, { cwd: project, roots: [join(folder, "project-link"), outside] });
    const read = async (path: string) => textOf(await createReadTool(context).run({ path }));
    expect(await read("inside.txt")).toBe("inside\n");
    expect(await read("inner-link")).toBe("inside\n");
    expect(await read("sub/../inside.txt")).toBe("inside\n");
    expect(await read("way-out/secret.txt")).toBe("secret\n");
    expect(textOf(await createWriteTool(context).run({ path: "sub/deep/er.txt", content: "x" }))).toMatch(/^Created/);
    expect(textOf(await createReadTool(context).run({ path: "/etc/passwd" }))).toContain(
      `is not in ${join(folder, "project-link")} or ${outside}, and no other folder`,
    );
  });

  test("run commands and code only in folders inside, and save runs of notebooks only there", async () => {
    await using context = await contextIn(folder, { cwd: project, roots: [project] });
    const bash = await createBashTool(context).run({ command: "pwd", cwd: "way-out" });
    expect(textOf(bash)).toContain("and no other folder is allowed");
    const python = await createPythonTool(context).run({ cells: [{ code: "1" }], cwd: "../outside" });
    expect(textOf(python)).toContain("and no other folder is allowed");
    writeFileSync(join(project, "run.ipynb"), notebookText(["1"]));
    const run = await createNotebookTool(context).run({ action: "run", path: "run.ipynb", out: "way-out/b.ipynb" });
    expect(textOf(run)).toContain("and no other folder is allowed");
    expect(existsSync(join(outside, "b.ipynb"))).toBe(false);
  });
});

test("a folder that becomes a link later is not the folder that tools are limited to", async () => {
  const limited = join(folder, "limited");
  mkdirSync(limited);
  writeFileSync(join(limited, "secret.txt"), "harmless\n");
  await using granary = await runtimeIn(folder);
  await using toolbox = await createToolbox({ runtime: granary, roots: ["limited"] });
  const run = async (name: string, input: object) => textOf((await toolbox.find(name)?.run(input)) as ToolResult);
  expect(await run("read", { path: "secret.txt" })).toBe("harmless\n");
  renameSync(limited, join(folder, "limited-kept"));
  symlinkSync(outside, limited);
  const calls = [
    ["read", { path: join(limited, "secret.txt") }],
    ["read", { path: limited }],
    ["write", { path: join(limited, "new.txt"), content: "x" }],
    ["edit", { path: join(limited, "secret.txt"), edits: [{ old: "secret", new: "x" }] }],
    ["notebook", { action: "new", path: join(limited, "new.ipynb") }],
    ["python", { cells: [{ code: "1" }] }],
    ["bash", { command: "pwd", cwd: limited }],
  ] as const;
  for (const [name, input] of calls) expect(await run(name, input)).toContain("and no other folder is allowed");
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
  expect([existsSync(join(outside, "new.txt")), existsSync(join(outside, "new.ipynb"))]).toEqual([false, false]);
});

describe("a toolbox that begins outside of its folders", () => {
  test("works in the first of them: code, commands and relative paths", async () => {
    await using granary = await runtimeIn(outside);
    await using toolbox = await createToolbox({ runtime: granary, roots: [project, join(folder, "project-2")] });
    const run = async (name: string, input: object) => textOf((await toolbox.find(name)?.run(input)) as ToolResult);
    expect(await run("bash", { command: "pwd -P" })).toBe(realpathSync(project));
    expect(await run("python", { cells: [{ code: "import os; print(os.getcwd())" }] })).toBe(realpathSync(project));
    expect(await run("read", { path: "inside.txt" })).toBe("inside\n");
  });

  test("stays in its folder if that is inside, by any name", async () => {
    await using granary = await runtimeIn(project);
    await using toolbox = await createToolbox({
      runtime: granary,
      cwd: "sub",
      roots: [outside, join(folder, "project-link")],
    });
    expect(toolbox.context.cwd).toBe(join(project, "sub"));
  });
});

describe("a link that appears after the path was checked", () => {
  const context = { cwd: project, roots: [project] };

  /** A folder inside, and a function that replaces it by a link to the outside. */
  function folderToSwap(name: string): () => void {
    mkdirSync(join(project, name));
    writeFileSync(join(project, name, "secret.txt"), "harmless\n");
    return () => {
      renameSync(join(project, name), join(project, `${name}-away`));
      symlinkSync(outside, join(project, name));
    };
  }

  test("is noticed before anything is read", async () => {
    const swap = folderToSwap("for-reading");
    const place = await namedFile(context, "for-reading/secret.txt");
    swap();
    await expect(openFile(place)).rejects.toMatchObject({ code: "outside-roots" });
  });

  test("is noticed before anything is written", async () => {
    const swap = folderToSwap("for-writing");
    const place = await namedFile(context, "for-writing/secret.txt");
    const writing = updateTextFile(place, () => {
      swap();
      return "overwritten\n";
    });
    await expect(writing).rejects.toMatchObject({ code: "outside-roots" });
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret\n");
  });
});
