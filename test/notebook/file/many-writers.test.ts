import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { saveNotebook } from "../../../src/notebook/file/save-notebook.ts";
import { newNotebook } from "../../../src/notebook/new-notebook.ts";
import { isLong } from "../../environment/variants.ts";
import { writeTogether } from "./many-writers.ts";

const many = isLong ? { writers: 6, times: 15 } : { writers: 4, times: 8 };
/** Beside those that are killed. */
const some = isLong ? { writers: 3, times: 20, killed: 6 } : { writers: 2, times: 8, killed: 3 };

describe("when many processes write one file at once", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "granary-writers-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("every added cell is in the notebook, and readers see only complete files", async () => {
    const file = join(folder, "a.ipynb");
    await saveNotebook(newNotebook({ path: file }));
    const { acknowledged, found, torn, leftovers } = await writeTogether({ kind: "notebook", file, ...many });
    expect(acknowledged).toHaveLength(many.writers * many.times);
    expect([...found].sort()).toEqual([...acknowledged].sort());
    expect(torn).toEqual([]);
    expect(leftovers).toEqual([]);
  });

  test("every line that an edit adds to a text file is in it", async () => {
    const file = join(folder, "log.txt");
    writeFileSync(file, "");
    const { acknowledged, found, torn, leftovers } = await writeTogether({ kind: "text", file, ...many });
    expect(acknowledged).toHaveLength(many.writers * many.times);
    expect([...found].sort()).toEqual([...acknowledged].sort());
    expect(torn).toEqual([]);
    expect(leftovers).toEqual([]);
  });

  test("killed processes destroy nothing, and leave no files behind", async () => {
    const file = join(folder, "a.ipynb");
    await saveNotebook(newNotebook({ path: file }));
    const written = await writeTogether({ kind: "notebook", file, ...some });
    const { acknowledged, found, torn, leftovers } = written;
    const missing = acknowledged.filter((cell) => !found.includes(cell));
    expect(missing).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    // A killed process may have written a cell before it could report it.
    expect(found.length - acknowledged.length).toBeLessThanOrEqual(some.killed);
    expect(torn).toEqual([]);
    expect(leftovers).toEqual([]);
  });

  test("the same holds for a notebook with several names, which has all cells under each of them", async () => {
    const file = join(folder, "a.ipynb");
    const others = mkdtempSync(join(tmpdir(), "granary-writers-"));
    onTestFinished(() => rmSync(others, { recursive: true, force: true }));
    await saveNotebook(newNotebook({ path: file }));
    linkSync(file, join(others, "b.ipynb"));
    const written = await writeTogether({ kind: "notebook", file, ...some });
    const { acknowledged, found, leftovers } = written;
    expect(acknowledged.filter((cell) => !found.includes(cell))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    expect(leftovers).toEqual([]);
    expect(readFileSync(join(others, "b.ipynb"))).toEqual(readFileSync(file));
  });
});
