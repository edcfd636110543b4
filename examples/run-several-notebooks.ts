// Run several notebooks, two at a time: a failure does not stop the others.
import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNotebooks } from "granary";

const folder = await mkdtemp(join(tmpdir(), "granary-example-"));
const paths = ["north", "south", "east", "west"].map((name) => join(folder, `${name}.ipynb`));
const cell = (source: string) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source });
for (const path of paths) {
  const cells = [cell("total = 0"), cell(path.includes("south") ? "1 / total" : "print('total', total)")];
  await writeFile(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }));
}

const { status, notebooks } = await runNotebooks(paths, {
  jobs: 2,
  onNotebook: ({ path, status, durationMs }) => console.log(`${path}: ${status}, ${Math.round(durationMs)} ms`),
});

assert.equal(status, "error");
assert.deepEqual(
  notebooks.map(({ run }) => run?.failed?.error?.name ?? "fine"),
  ["fine", "ZeroDivisionError", "fine", "fine"],
);
assert.match(await readFile(paths[0] as string, "utf8"), /total 0/);
