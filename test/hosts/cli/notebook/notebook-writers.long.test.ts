import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeTogether } from "../../../notebook/file/many-writers.ts";
import { granary, testFolder } from "../granary.ts";
import { insertTogether, sourcesIn } from "./notebook-writers.ts";

const newFile = async () => {
  const file = join(mkdtempSync(join(testFolder, "writers-")), "a.ipynb");
  await granary(["notebook", "new", file]);
  return file;
};

test("twenty processes that insert ten cells each leave two hundred cells", async () => {
  const file = await newFile();
  const added = await insertTogether(file, { processes: 20, times: 10 });
  expect(added).toHaveLength(200);
  expect(sourcesIn(file).sort()).toEqual(added.sort());
});

test("twelve of sixteen writers are killed repeatedly, and no reported write is lost", async () => {
  for (let round = 0; round < 5; round++) {
    const file = await newFile();
    const written = await writeTogether({ kind: "notebook", file, writers: 4, times: 40, killed: 12 });
    const { acknowledged, found, torn, leftovers } = written;
    expect(acknowledged.filter((cell) => !found.includes(cell))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    expect(torn).toEqual([]);
    expect(leftovers).toEqual([]);
  }
});
