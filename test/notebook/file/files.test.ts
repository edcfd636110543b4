import { spawnSync } from "node:child_process";
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import type { NotebookEdit } from "../../../src/notebook/edit/edit-action.ts";
import { editNotebook } from "../../../src/notebook/edit/edit-notebook.ts";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { readNotebook } from "../../../src/notebook/file/read-notebook.ts";
import { saveNotebook } from "../../../src/notebook/file/save-notebook.ts";
import { updateNotebook } from "../../../src/notebook/file/update-notebook.ts";
import { newNotebook } from "../../../src/notebook/new-notebook.ts";
import { type Notebook, notebookBytes } from "../../../src/notebook/notebook.ts";
import { parseNotebook } from "../../../src/notebook/parse/parse-notebook.ts";
import { fixture, fixtures, sources } from "../notebooks.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "granary-notebook-"));
  path = join(folder, "a.ipynb");
  await writeFile(path, fixture("jupyterlab-4.5"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const append = (notebook: Notebook, content: string): Notebook =>
  editNotebook(notebook, [{ action: "insert", content }]).notebook;

describe("reading a notebook", () => {
  test("from a named pipe is refused at once: there may never be a writer", async () => {
    const pipe = join(folder, "pipe.ipynb");
    spawnSync("mkfifo", [pipe]);
    await expect(readNotebook(pipe)).rejects.toMatchObject({ code: "not-a-file" });
  });

  test("from a pipe of the shell reads everything", () => {
    const command = `"${process.execPath}" bin/granary notebook diff <(cat "${path}") "${path}" && echo same`;
    const { stdout } = spawnSync("bash", ["-c", command], { cwd: inRepository("."), encoding: "utf8" });
    expect(stdout).toContain("same");
  });
});

describe("saving a notebook", () => {
  test("without an edit does not write the file again", async () => {
    for (const name of fixtures) {
      const file = join(folder, `${name}.ipynb`);
      await writeFile(file, fixture(name));
      const { ino, mtimeMs } = await stat(file);
      await saveNotebook(await readNotebook(file));
      expect(await readFile(file)).toEqual(fixture(name));
      expect(await stat(file)).toMatchObject({ ino, mtimeMs });
    }
  });

  test("writes the edit, keeps mode and link, and leaves nothing else behind", async () => {
    await chmod(path, 0o640);
    await symlink("a.ipynb", join(folder, "link.ipynb"));
    await saveNotebook(append(await readNotebook(join(folder, "link.ipynb")), "x"));
    expect(sources(await readNotebook(path)).at(-1)).toBe("x");
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await lstat(join(folder, "link.ipynb"))).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(["a.ipynb", "link.ipynb"]);
  });

  test("continues with the returned notebook: one save after another", async () => {
    let notebook = await readNotebook(path);
    for (const content of ["1", "2", "3"]) notebook = await saveNotebook(append(notebook, content));
    expect(sources(await readNotebook(path)).slice(-3)).toEqual(["1", "2", "3"]);
  });

  test("is refused when another program has saved since, even in a file of the same length", async () => {
    const edited = append(await readNotebook(path), "x");
    const theirs = (await readFile(path, "utf8")).replace("Weather", "Leather");
    await writeFile(path, theirs);
    await expect(saveNotebook(edited)).rejects.toThrow(expect.objectContaining({ code: "changed-on-disk" }));
    await expect(saveNotebook(edited)).rejects.toThrow("Nothing was written; read it again and repeat the edit.");
    expect(await readFile(path, "utf8")).toBe(theirs);
    expect(await readdir(folder)).toEqual(["a.ipynb"]);
    await saveNotebook(edited, { overwrite: true });
    expect(sources(await readNotebook(path)).at(-1)).toBe("x");
  });

  test("is refused when the file is gone", async () => {
    const edited = append(await readNotebook(path), "x");
    await rm(path);
    await expect(saveNotebook(edited)).rejects.toThrow(expect.objectContaining({ code: "changed-on-disk" }));
    expect(await readdir(folder)).toEqual([]);
  });

  test("is not refused when the file was only touched", async () => {
    const edited = append(await readNotebook(path), "x");
    await writeFile(path, await readFile(path));
    await saveNotebook(edited);
    expect(sources(await readNotebook(path)).at(-1)).toBe("x");
  });

  test("lets one of many win when all save the version that they read", async () => {
    const notebook = await readNotebook(path);
    const saves = await Promise.allSettled(
      ["1", "2", "3", "4"].map((content) => saveNotebook(append(notebook, content))),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    expect((await readNotebook(path)).cells).toHaveLength(notebook.cells.length + 1);
  });

  test("does all of that with a large file", async () => {
    await updateNotebook(path, (notebook) => append(notebook, "#".repeat(20_000_000)));
    const notebook = await readNotebook(path);
    expect(notebookBytes(notebook).equals(await readFile(path))).toBe(true);
    const saves = await Promise.allSettled(["1", "2"].map((content) => saveNotebook(append(notebook, content))));
    // Either may get the lock first.
    expect(saves.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = saves.findIndex(({ status }) => status === "fulfilled");
    expect(sources(await readNotebook(path)).at(-1)).toBe(["1", "2"][winner]);
    await expect(saveNotebook(append(notebook, "3"))).rejects.toThrow("Nothing was written");
    expect(await readdir(folder)).toEqual(["a.ipynb"]);
  });

  test("makes a new file, and never overwrites an existing one", async () => {
    const file = join(folder, "new.ipynb");
    await saveNotebook(append(await readNotebook(file, { orEmpty: true }), "x"));
    expect(sources(await readNotebook(file))).toEqual(["x"]);
    await expect(saveNotebook(newNotebook({ path: file }))).rejects.toThrow("There is a file at");
    await expect(saveNotebook(newNotebook(), { path: file })).rejects.toThrow("There is a file at");
    await saveNotebook(newNotebook(), { path: file, overwrite: true });
    expect(sources(await readNotebook(file))).toEqual([]);
  });

  test("elsewhere leaves the first file, and continues with the other", async () => {
    const other = join(folder, "other.ipynb");
    const saved = await saveNotebook(append(await readNotebook(path), "x"), { path: other });
    await saveNotebook(append(saved, "y"));
    expect(await readFile(path)).toEqual(fixture("jupyterlab-4.5"));
    expect(sources(await readNotebook(other)).slice(-2)).toEqual(["x", "y"]);
  });

  test("requires a path, and an existing folder", async () => {
    await expect(saveNotebook(newNotebook())).rejects.toThrow(
      "This notebook has no file yet. Pass a path to save it to.",
    );
    await expect(saveNotebook(newNotebook(), { path: join(folder, "no/a.ipynb") })).rejects.toThrow(
      "its folder does not exist; make the folder first",
    );
  });

  test.skipIf(process.getuid?.() === 0)("does not replace a read-only file", async () => {
    await chmod(path, 0o444);
    const edited = append(await readNotebook(path), "x");
    await expect(saveNotebook(edited)).rejects.toThrow(expect.objectContaining({ code: "not-writable" }));
  });

  test("does not happen after a cancel", async () => {
    const signal = AbortSignal.abort();
    await expect(saveNotebook(append(await readNotebook(path), "x"), { signal })).rejects.toThrow("aborted");
    expect(await readFile(path)).toEqual(fixture("jupyterlab-4.5"));
  });
});

describe("updating a notebook", () => {
  /** As programs do that ignore Granary's locks. */
  const savedByAnother = async (change: (notebook: Notebook) => Notebook) =>
    writeFile(path, notebookBytes(change(await readNotebook(path))));

  test("reads and changes again when another program saved in between, so that nothing is lost", async () => {
    let calls = 0;
    await updateNotebook(path, async (notebook) => {
      calls++;
      if (calls === 1) await savedByAnother((theirs) => append(theirs, "theirs"));
      return append(notebook, "ours");
    });
    expect(calls).toBe(2);
    expect(sources(await readNotebook(path)).slice(-2)).toEqual(["theirs", "ours"]);
  });

  test("works where no lock can be made: another program's save in between is still kept", async () => {
    await mkdir(join(folder, ".a.ipynb.lock"));
    let calls = 0;
    await updateNotebook(path, async (notebook) => {
      calls++;
      if (calls === 1) await savedByAnother((theirs) => append(theirs, "theirs"));
      return append(notebook, "ours");
    });
    expect(sources(await readNotebook(path)).slice(-2)).toEqual(["theirs", "ours"]);
    const neverStops = updateNotebook(path, async (notebook) => {
      await savedByAnother((theirs) => append(theirs, "theirs again"));
      return append(notebook, "ours");
    });
    await expect(neverStops).rejects.toThrow(expect.objectContaining({ code: "changed-on-disk" }));
    expect(sources(await readNotebook(path)).at(-1)).toBe("theirs again");
  });

  describe("with an edit during which another program saves", () => {
    const editWhile = (theirs: (notebook: Notebook) => Notebook, edit: NotebookEdit) => {
      let calls = 0;
      const beforeSaving = async () => (++calls === 1 ? savedByAnother(theirs) : undefined);
      return editNotebookFile(path, [edit], { beforeSaving });
    };
    const insertFirst = (notebook: Notebook) =>
      editNotebook(notebook, [{ action: "insert", at: 0, content: "theirs" }]).notebook;

    test("finds a cell by its id at its new place", async () => {
      const before = await readNotebook(path);
      await editWhile(insertFirst, { action: "edit", cell: before.cells[1]?.id as string, content: "ours" });
      expect(sources(await readNotebook(path)).slice(0, 3)).toEqual(["theirs", before.cells[0]?.source, "ours"]);
    });

    test("uses an index again when the cells are unchanged", async () => {
      const rewriteLast = (notebook: Notebook) =>
        editNotebook(notebook, [{ action: "edit", cell: notebook.cells.length - 1, content: "theirs" }]).notebook;
      await editWhile(rewriteLast, { action: "edit", cell: 1, content: "ours" });
      const found = sources(await readNotebook(path));
      expect([found[1], found.at(-1)]).toEqual(["ours", "theirs"]);
    });

    test("refuses an index that may mean another cell now", async () => {
      const before = sources(await readNotebook(path));
      await expect(editWhile(insertFirst, { action: "delete", cell: 1 })).rejects.toThrow(
        "Nothing was changed. Read the notebook again and repeat the edit, or name the cell by its id.",
      );
      expect(sources(await readNotebook(path))).toEqual(["theirs", ...before]);
    });
  });

  test("keeps every change of several at once", async () => {
    const many = ["1", "2", "3", "4", "5"];
    await Promise.all(many.map((content) => updateNotebook(path, (notebook) => append(notebook, content))));
    expect(
      sources(await readNotebook(path))
        .slice(-5)
        .sort(),
    ).toEqual(many);
  });
});

describe("reading a notebook file", () => {
  test("that does not exist says how to make one", async () => {
    await expect(readNotebook(join(folder, "no.ipynb"))).rejects.toThrow(
      expect.objectContaining({ code: "missing-file" }),
    );
    await expect(readNotebook(join(folder, "no.ipynb"))).rejects.toThrow("Make one with: granary notebook new");
  });

  test("that is a folder says so", async () => {
    await expect(readNotebook(folder)).rejects.toThrow("cannot be read: it is a folder");
  });

  test("that is damaged names the file, its line and its column, and leaves it unchanged", async () => {
    await writeFile(path, '{"cells": [}');
    await expect(readNotebook(path)).rejects.toMatchObject({
      code: "invalid-json",
      message: expect.stringContaining("a.ipynb is not valid JSON at line 1, column 12: expected a value."),
      details: { path, line: 1, column: 12 },
    });
    expect(await readFile(path, "utf8")).toBe('{"cells": [}');
  });

  test("that a killed process left half written, under several names, is finished first", async () => {
    const before = await readFile(path);
    const after = notebookBytes(append(await readNotebook(path), "# new"));
    const record = { pid: spawnSync("true").pid, began: null, host: hostname(), word: "theirs" };
    await writeFile(join(folder, ".a.ipynb.lock"), JSON.stringify(record));
    await writeFile(join(folder, ".a.ipynb.0123456789ab.old"), before);
    await writeFile(join(folder, ".a.ipynb.0123456789ab.new"), after);
    await link(path, join(folder, "b.ipynb"));
    // One byte before the brackets close, so that the JSON is invalid.
    await writeFile(path, after.subarray(0, after.length - 4));
    expect(sources(await readNotebook(path)).at(-1)).toBe("# new");
    expect(await readFile(join(folder, "b.ipynb"))).toEqual(after);
    expect((await readdir(folder)).sort()).toEqual(["a.ipynb", "b.ipynb"]);
  });

  test("gives the same result as its bytes", async () => {
    const { origin, ...rest } = await readNotebook(path);
    const { origin: none, ...parsed } = parseNotebook(fixture("jupyterlab-4.5"));
    expect({ ...rest, path: origin?.path }).toEqual({ ...parsed, path });
    expect(none).toBeNull();
  });

  describe("that is read in several parts", () => {
    const text = "日本é\n🌾".repeat(9000);
    const cells = Array.from({ length: 60 }, (_, index) => ({
      cell_type: "raw",
      metadata: {},
      source: `${index} ${text}`,
    }));
    const large = Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }));

    test("gives the same result as its bytes, and an edit keeps all others", async () => {
      await writeFile(path, large);
      expect(large.length).toBeGreaterThan(6_000_000);
      expect(sources(await readNotebook(path))).toEqual(sources(parseNotebook(large)));
      await editNotebookFile(path, [{ action: "edit", cell: 30, content: "new" }]);
      const expected = Buffer.from(
        JSON.stringify(JSON.parse(String(large)), (key, value) =>
          key === "source" && value.startsWith("30 ") ? "new" : value,
        ),
      );
      expect((await readFile(path)).equals(expected)).toBe(true);
    });

    test.each([
      ["a part is missing", Buffer.concat([large.subarray(0, 5_000_000), large.subarray(5_000_100)])],
      ["its end is missing", large.subarray(0, -100)],
      [
        "a byte is not UTF-8",
        Buffer.concat([large.subarray(0, 4_500_000), Buffer.of(0xff), large.subarray(4_500_000)]),
      ],
    ])("is refused like its bytes when %s, and stays unchanged", async (_, bytes) => {
      await writeFile(path, bytes);
      const { message } = await Promise.resolve()
        .then(() => parseNotebook(bytes, "a.ipynb"))
        .catch((error) => error);
      await expect(editNotebookFile(path, [{ action: "edit", cell: 0, content: "new" }])).rejects.toThrow(message);
      expect((await readFile(path)).equals(bytes)).toBe(true);
    });

    test("stops when the caller cancels", async () => {
      await writeFile(path, large);
      await expect(readNotebook(path, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    });
  });
});
