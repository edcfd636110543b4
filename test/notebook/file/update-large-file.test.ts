import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { chmod, link, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import type { NotebookEdit } from "../../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../../src/notebook/edit/edit-notebook.ts";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { updateLargeFile } from "../../../src/notebook/file/large/update-large-file.ts";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { parseNotebook } from "../../../src/notebook/parse/parse-notebook.ts";
import { until } from "../../kernel/until.ts";
import { fixture } from "../notebooks.ts";

let folder: string;
let path: string;
const before = fixture("jupyterlab-4.5");
const edit: NotebookEdit = { action: "edit", cell: 1, content: "new = 1", outputs: "clear" };
const apply = (notebook: Notebook) => editNotebook(notebook, [edit]).notebook;
const after = notebookBytes(apply(parseNotebook(before)));
/** Every file counts as large, and has many parts. */
const small = { smallest: 0, partBytes: 100 };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "granary-large-"));
  path = join(folder, "a.ipynb");
  await writeFile(path, before);
  await leftAlone();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The file's times tell the next change only after a while. */
async function leftAlone(): Promise<void> {
  await until("the file has been left alone for a while", () => Date.now() - statSync(path).ctimeMs > 150);
}

async function expectOnly(content: Buffer): Promise<void> {
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(await readdir(folder)).toEqual(["a.ipynb"]);
}

describe("an update that reads a notebook in parts", () => {
  test("replaces the file, and keeps its mode and a link to it", async () => {
    await chmod(path, 0o640);
    await leftAlone();
    const linked = join(folder, "link.ipynb");
    await symlink(path, linked);
    expect(await updateLargeFile(linked, apply, small)).toBe(true);
    expect((await lstat(linked)).isSymbolicLink()).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await rm(linked);
    await expectOnly(after);
  });

  test("writes a file with several names under all of them", async () => {
    const other = join(folder, "b.ipynb");
    await link(path, other);
    await leftAlone();
    expect(await updateLargeFile(path, apply, small)).toBe(true);
    expect((await readFile(other)).equals(after)).toBe(true);
    await rm(other);
    await expectOnly(after);
  });

  test("does not write a notebook that stays the same", async () => {
    const { ino, mtimeMs } = await stat(path);
    expect(await updateLargeFile(path, (notebook) => notebook, small)).toBe(true);
    expect(await stat(path)).toMatchObject({ ino, mtimeMs });
    await expectOnly(before);
  });

  test("throws the error of the change, and leaves the file unchanged", async () => {
    const wrong = (notebook: Notebook) => editNotebook(notebook, [{ action: "delete", cell: 99 }]).notebook;
    await expect(updateLargeFile(path, wrong, small)).rejects.toThrow("There is no cell 99");
    await expectOnly(before);
  });

  test("stops when the caller cancels, even just before the replacement", async () => {
    const abort = new AbortController();
    const cancelled = (notebook: Notebook) => {
      abort.abort(new Error("enough"));
      return apply(notebook);
    };
    await expect(updateLargeFile(path, cancelled, { ...small, signal: abort.signal })).rejects.toThrow("enough");
    await expect(updateLargeFile(path, apply, { ...small, signal: abort.signal })).rejects.toThrow("enough");
    await expectOnly(before);
  });

  const theirs = Buffer.concat([before, Buffer.from("\n")]);
  const changes: Readonly<Record<string, () => Promise<void>>> = {
    "was saved by another program": () => writeFile(path, theirs),
    "was truncated": () => writeFile(path, ""),
    "has the same length and its old times": async () => {
      const { atime, mtime } = await stat(path);
      await writeFile(path, before.toString("latin1").replace("source", "sOurce"), "latin1");
      await utimes(path, atime, mtime);
    },
    "is gone": () => rm(path),
  };
  test.each(Object.entries(changes))("leaves the file to the caller when it %s since", async (_, change) => {
    let now: Buffer | null = null;
    const overtaken = async (notebook: Notebook) => {
      await change();
      now = await readFile(path).catch(() => null);
      return apply(notebook);
    };
    expect(await updateLargeFile(path, overtaken, small)).toBe(false);
    expect(await readFile(path).catch(() => null)).toEqual(now);
    expect(await readdir(folder)).toEqual(now === null ? [] : ["a.ipynb"]);
  });

  test("leaves the error of a change to the caller when the file changed during it", async () => {
    const overtaken = async (notebook: Notebook) => {
      await writeFile(path, theirs);
      throw new Error(`wrong about ${notebook.cells.length} cells`);
    };
    expect(await updateLargeFile(path, overtaken, small)).toBe(false);
    await expectOnly(theirs);
  });

  test("leaves the file to the caller when its times cannot tell the next change, when it is small, damaged or missing", async () => {
    expect(await updateLargeFile(path, apply)).toBe(false);
    expect(await updateLargeFile(join(folder, "no.ipynb"), apply, small)).toBe(false);
    expect(await updateLargeFile(folder, apply, small)).toBe(false);
    await writeFile(path, before);
    expect(await updateLargeFile(path, apply, small)).toBe(false);
    await writeFile(path, before.subarray(1));
    await leftAlone();
    expect(await updateLargeFile(path, apply, small)).toBe(false);
  });
});

describe("an edit of a large file", () => {
  const cells = Array.from({ length: 40 }, (_, index) => ({
    cell_type: "code",
    execution_count: 1,
    metadata: {},
    outputs: [{ name: "stdout", output_type: "stream", text: [`é${"x".repeat(300_000)}\n`, "end\n"] }],
    source: `cell ${index}`,
  }));
  const large = Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1));
  const edited = notebookBytes(apply(parseNotebook(large)));

  beforeEach(async () => {
    await writeFile(path, large);
    await leftAlone();
  });

  test("gives the same bytes and details as one in memory", async () => {
    const { details } = editNotebook(parseNotebook(large), [edit]);
    expect(await editNotebookFile(path, [edit])).toEqual(details);
    await expectOnly(edited);
  });

  test("applies to the content that another program saved in between, unless an index may mean another cell", async () => {
    const saved = editNotebook(parseNotebook(large), [{ action: "insert", at: 0, content: "theirs" }]).notebook;
    const beforeSaving = async () => writeFile(path, notebookBytes(saved));
    await expect(editNotebookFile(path, [edit], { beforeSaving })).rejects.toMatchObject({ code: "changed-on-disk" });
    await expectOnly(notebookBytes(saved));
  });

  test("leaves the file unchanged when the disk is full in the middle", async () => {
    // In blocks of 1 KiB, and without the signal that would end the process.
    const command = `trap "" XFSZ; ulimit -f 6000; exec "${process.execPath}" bin/granary notebook edit "${path}" 1 --content x`;
    const { stderr, status } = spawnSync("bash", ["-c", command], { cwd: inRepository("."), encoding: "utf8" });
    expect(stderr).toContain("cannot be written");
    expect(stderr).toContain("Nothing was changed.");
    expect(status).toBe(3);
    await expectOnly(large);
  });

  test("that is killed in the middle leaves the old file, and the next edit cleans up", async () => {
    const command = ["bin/granary", "notebook", "edit", path, "1", "--content", "new = 1", "--clear-outputs"];
    const child = spawn(process.execPath, command, { cwd: inRepository("."), stdio: "ignore" });
    const exit = once(child, "exit");
    await until("the edit has begun to write, or has ended", async () => {
      const names = await readdir(folder);
      return child.exitCode !== null || names.some((name) => name.endsWith(".tmp"));
    });
    child.kill("SIGKILL");
    await exit;
    const left = await readFile(path);
    expect(left.equals(large) || left.equals(edited)).toBe(true);
    await editNotebookFile(path, [edit]);
    await expectOnly(edited);
  });
});
