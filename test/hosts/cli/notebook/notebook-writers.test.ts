import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { granary, RunningGranary, testFolder } from "../granary.ts";
import { insertTogether, sourcesIn } from "./notebook-writers.ts";

const newFile = () => join(mkdtempSync(join(testFolder, "writers-")), "a.ipynb");

describe("commands that change one notebook at the same time", () => {
  test("lose none of their cells", async () => {
    const file = newFile();
    await granary(["notebook", "new", file]);
    const added = await insertTogether(file, { processes: 4, times: 2 });
    expect(added).toHaveLength(8);
    expect(sourcesIn(file).sort()).toEqual(added.sort());
    expect(readdirSync(join(file, ".."))).toEqual(["a.ipynb"]);
  });

  test("lose nothing to a run of that notebook, and the run keeps its outputs", async () => {
    const file = newFile();
    await granary(["notebook", "new", file]);
    const gate = `${file}.gate`;
    const wait = `import os, time\nwhile not os.path.exists(${JSON.stringify(gate)}): time.sleep(0.01)`;
    const code = ["print('first')", wait, ...Array.from({ length: 20 }, (_, index) => `print(${index})`)];
    for (const content of code) await granary(["notebook", "insert", file, "--content", content]);
    const run = new RunningGranary(["notebook", "run", file]);
    const added = insertTogether(file, { processes: 3, times: 2, whenOneIsDone: gate });
    expect(await run.finished).toMatchObject({ exitCode: 0 });
    const inserted = await added;
    expect(sourcesIn(file).sort()).toEqual([...code, ...inserted].sort());
    const { cells } = JSON.parse(readFileSync(file, "utf8")) as { cells: { outputs: { text: string[] }[] }[] };
    const printed = cells.flatMap(({ outputs }) => outputs.map(({ text }) => text.join("")));
    expect(printed).toEqual(["first\n", ...Array.from({ length: 20 }, (_, index) => `${index}\n`)]);
  });
});
