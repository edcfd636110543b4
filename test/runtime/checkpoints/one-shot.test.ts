import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { granary } from "../../hosts/cli/granary.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();
const countCopies = "import os; print(len(open(f'/proc/self/task/{os.getpid()}/children').read().split()), 'copies')";

test.skipIf(process.platform !== "linux")(
  "a session has a copy before its second cell, without any setting",
  async () => {
    await using runtime = await runtimeIn(folder);
    const session = runtime.session();
    await session.run("x = 1").result;
    expect((await session.run(countCopies).result).output).toBe("1 copies\n");
  },
);

test.skipIf(process.platform !== "linux")("a command that ends with its cells makes no copies", async () => {
  const env = { GRANARY_HOME: join(folder, "home") };
  const run = await granary(["run", "-c", "x = 1", "-c", countCopies], { cwd: folder, env });
  expect(run).toMatchObject({ exitCode: 0, stdout: "0 copies\n" });
  const cell = (source: string) => ({ cell_type: "code", source, metadata: {}, outputs: [], execution_count: null });
  const notebook = { cells: ["x = 1", countCopies].map(cell), metadata: {}, nbformat: 4, nbformat_minor: 4 };
  writeFileSync(join(folder, "two.ipynb"), JSON.stringify(notebook));
  expect((await granary(["notebook", "run", "two.ipynb"], { cwd: folder, env })).exitCode).toBe(0);
  const shown = await granary(["notebook", "show", "two.ipynb"], { cwd: folder, env });
  expect(shown.stdout).toContain("0 copies");
});
