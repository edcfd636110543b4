// Run a notebook with parameters: the file gets the outputs, and the result has the status of each cell.
import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime, runNotebook } from "granary";

const folder = await mkdtemp(join(tmpdir(), "granary-example-"));
const path = join(folder, "report.ipynb");
const cell = (source: string, tags: string[] = []) => ({
  cell_type: "code",
  execution_count: null,
  metadata: { tags },
  outputs: [],
  source,
});
const cells = [cell("n = 3", ["parameters"]), cell("print('sum', sum(range(n)))"), cell("1 / 0")];
await writeFile(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 }, null, 1));

const granary = await createRuntime({ cwd: folder });
try {
  const run = await runNotebook(granary.session(), path, {
    parameters: { n: 10 },
    onProgress: (step) => step.type === "cell-ends" && console.log(`cell ${step.cell.index}: ${step.cell.status}`),
  });

  assert.equal(run.failed?.error?.name, "ZeroDivisionError");
  assert.deepEqual(
    run.cells.map(({ status }) => status),
    ["ok", "ok", "ok", "error"],
  );
  assert.match(await readFile(path, "utf8"), /sum 45/);
} finally {
  await granary.close();
}
