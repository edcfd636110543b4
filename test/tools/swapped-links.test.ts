import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolResult } from "../../src/tools/definition/tool.ts";
import { createEditTool } from "../../src/tools/edit.ts";
import { createNotebookTool } from "../../src/tools/notebook.ts";
import { createReadTool } from "../../src/tools/read.ts";
import { createWriteTool } from "../../src/tools/write.ts";
import { isLong } from "../environment/variants.ts";
import { notebookText } from "../execute/notebook-runs.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const project = join(folder, "project");
const outside = join(folder, "outside");
for (const made of ["folder", "plain"]) mkdirSync(join(project, made), { recursive: true });
mkdirSync(outside);
for (const [where, word] of [
  [join(project, "folder"), "harmless"],
  [join(project, "plain"), "harmless"],
  [outside, "secret"],
] as const) {
  writeFileSync(join(where, "file.txt"), `${word}\n`);
  writeFileSync(join(where, "book.ipynb"), notebookText([`"${word}"`]));
}
writeFileSync(join(outside, "only-outside.txt"), "");
const atFirst = contentOf(outside);

let swapper: ChildProcess;
beforeAll(async () => {
  swapper = spawn(process.execPath, [join(import.meta.dirname, "link-swapper.mjs"), project, outside], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(swapper.stdout as NodeJS.ReadableStream, "data");
});
afterAll(() => void swapper.kill("SIGKILL"));

/** Elsewhere, a link may still appear between the last check and the rename. */
describe.skipIf(process.platform !== "linux")("while another process swaps links to the outside in and out", () => {
  test("no read shows anything from outside", async () => {
    await using context = await contextIn(folder, { cwd: project, roots: [project] });
    const [read, notebook] = [createReadTool(context), createNotebookTool(context)];
    const calls = [
      () => read.run({ path: "folder/file.txt" }),
      () => read.run({ path: "plain/file.txt" }),
      () => read.run({ path: "folder" }),
      () => read.run({ path: "folder/book.ipynb" }),
      () => notebook.run({ action: "show", path: "folder/book.ipynb" }),
    ];
    const seen = await attempts(isLong ? 2000 : 150, calls);
    expect(seen.leaks).toEqual([]);
    expect(seen.good).toBeGreaterThan(0);
    expect(swapper.exitCode).toBeNull();
  });

  test("no write changes or adds anything outside", async () => {
    await using context = await contextIn(folder, { cwd: project, roots: [project] });
    const [write, edit, notebook] = [createWriteTool(context), createEditTool(context), createNotebookTool(context)];
    let number = 0;
    const calls = [
      () => write.run({ path: "folder/file.txt", content: "harmless\n" }),
      () => write.run({ path: "plain/file.txt", content: "harmless\n" }),
      () => write.run({ path: `folder/new-${number++}/file.txt`, content: "harmless\n" }),
      () => edit.run({ path: "folder/file.txt", edits: [{ old: "s\n", new: "s\n\n" }] }),
      () => notebook.run({ action: "insert", path: "folder/book.ipynb", content: "harmless" }),
      () => notebook.run({ action: "new", path: `folder/new-${number++}.ipynb` }),
    ];
    const seen = await attempts(isLong ? 300 : 30, calls);
    expect(seen.leaks).toEqual([]);
    expect(seen.good).toBeGreaterThan(0);
    expect(swapper.exitCode).toBeNull();
    expect(contentOf(outside)).toEqual(atFirst);
  });
});

async function attempts(times: number, calls: readonly (() => Promise<ToolResult>)[]) {
  const leaks: string[] = [];
  let good = 0;
  for (let time = 0; time < times; time++) {
    for (const call of calls) {
      const result = await call();
      const text = textOf(result);
      if (/secret|only-outside/.test(text)) leaks.push(text);
      if (!result.isError) good += 1;
    }
  }
  return { leaks, good };
}

function contentOf(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), "utf8")]));
}
