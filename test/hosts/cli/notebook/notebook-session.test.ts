import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { notebookText, shownBy } from "../../../execute/notebook-runs.ts";
import { describeWithJupyter } from "../../../kernel/gateway/jupyter-python.ts";
import { granary, testFolder } from "../granary.ts";
import { folder, notebook } from "./notebook-command.ts";

test("a session of the embedded runner reports that it ends with the command", async () => {
  writeFileSync(join(folder, "a.ipynb"), notebookText(["1"]));
  const { stderr } = await notebook(["run", "a.ipynb", "--session", "etl"]);
  expect(stderr).toContain(
    "granary: The session etl lasts as long as this command: the embedded runner keeps no variables between commands.\n",
  );
});

describeWithJupyter("granary notebook run --session on the shared gateway", (python) => {
  afterAll(() => granary(["gateway", "stop"]));
  const path = join(testFolder, "stops.ipynb");
  const kernel = ["--python", python, "--backend", "gateway", "--session", "etl"];
  const env = { GRANARY_PYTHON_START_SECONDS: "60" };
  const run = (...more: readonly string[]) => granary(["notebook", "run", path, ...kernel, ...more], { env });
  const change = (from: string, to: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(JSON.stringify(from), JSON.stringify(to)));

  test("continues in the next command, and --resume continues with the failed cell", async () => {
    writeFileSync(path, notebookText(["count = globals().get('count', 0) + 1", "1 / 0", "print(count)"]));
    const first = await run();
    expect(first.stderr).toContain(
      "granary: The session etl is new; its variables stay for 5 minutes after this command.\n",
    );
    expect(first.exitCode).toBe(1);

    change("1 / 0", "count += 10");
    const resumed = await run("--resume");
    expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Ran 2 cells") });
    expect(resumed.stderr).toContain("granary: This goes on with the session etl.\n");
    expect(shownBy(path)[2]).toEqual(["stdout: 11\n"]);

    const again = await run("--resume");
    expect(again.stderr).toMatch(/granary: There is nothing to resume: .* The notebook is run from the start\.\n/);
    expect(shownBy(path)[2]).toEqual(["stdout: 22\n"]);
  });

  test("does not resume in a kernel without the variables", async () => {
    writeFileSync(path, notebookText(["x = 1", "1 / 0"]));
    expect((await run()).exitCode).toBe(1);
    await granary(["gateway", "stop"]);
    change("1 / 0", "print(x)");
    const { stderr, exitCode } = await run("--resume");
    expect(stderr).toContain("granary: The kernel of the run that stopped is gone");
    expect(exitCode).toBe(0);
    expect(shownBy(path)[1]).toEqual(["stdout: 1\n"]);
  });
});
