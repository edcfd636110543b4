import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

function writeNotebook(file: string, ...sources: readonly string[]): string {
  const cells = sources.map((source, index) => ({
    ...{ cell_type: "code", id: `cell-${index}`, metadata: {}, outputs: [], execution_count: null, source },
  }));
  writeFileSync(join(hub.folder, file), JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  return file;
}

test("granary notebook run --session runs in the hub's session of that name, which others find and see", async () => {
  await hub.run("etl", "rows = [3, 4]");
  const file = writeNotebook("a.ipynb", "rows.append(5)", "print(sum(rows))");
  const { stdout, stderr, exitCode } = await hub.granary(["notebook", "run", file, "--session", "etl"]);
  expect({ stdout, exitCode }).toEqual({
    stdout: expect.stringMatching(/^Ran 2 cells in .* Saved a\.ipynb\.\n$/),
    exitCode: 0,
  });
  expect(stderr).toMatch(/^cell 0 \(1 of 2\): ok, .*\ncell 1 \(2 of 2\): ok, .*\n$/);
  expect(readFileSync(join(hub.folder, file), "utf8")).toContain('"12\\n"');
  expect(await hub.run("etl", "rows")).toBe("[3, 4, 5]");
  const shown = await hub.granary(["sessions", "show", "etl"]);
  expect(shown.stdout).toMatch(/run-\d+ · granary notebook run · .* · cell 3\n> print\(sum\(rows\)\)\n/);
});

test("a run that failed is resumed in its session by the next command, and a new session says that it stays", async () => {
  const file = writeNotebook("b.ipynb", "x = 1", "x += y", "print(x)");
  const args = ["notebook", "run", file, "--session", "later"];
  const failed = await hub.granary(args);
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toContain("granary: The session later is new; it stays in the hub.\n");
  await hub.run("later", "y = 5");
  const { stdout, exitCode } = await hub.granary([...args, "--resume", "--json"]);
  expect(exitCode).toBe(0);
  const { status, cells, kernel } = JSON.parse(stdout);
  expect({
    status,
    statuses: cells.map((cell: { readonly status: string }) => cell.status),
    state: kernel.state,
  }).toEqual({
    ...{ status: "ok", statuses: ["skipped", "ok", "ok"], state: "idle" },
  });
});

test("a run that crashed is resumed at the first cell whose effects are gone", async () => {
  await hub.run("crashed", "v = 5");
  const file = writeNotebook("crash.ipynb", "v = 1", "v = 2", "import os; os._exit(2)", "print(v)");
  const args = ["notebook", "run", file, "--session", "crashed"];
  expect((await hub.granary(args)).exitCode).toBe(3);
  await hub.granary(["notebook", "edit", file, "2", "--content", "v += 100"]);
  const { exitCode } = await hub.granary([...args, "--resume"]);
  expect({ exitCode, v: await hub.run("crashed", "v") }).toEqual({ exitCode: 0, v: "102" });
});

test.each([
  ["of code", ["run", "--session", "busy", "--timeout", "1", "-c", "ran.append(1)"]],
  ["of a file", ["run", "--session", "busy", "--timeout", "1", "late.py"]],
  ["of a module", ["run", "--session", "busy", "--timeout", "1", "-m", "late"]],
  ["of a notebook", ["notebook", "run", "late.ipynb", "--session", "busy", "--timeout", "1"]],
])(
  "a run %s with a timeout waits no longer than that for the cell of another client, and then runs nothing",
  async (_, args) => {
    await hub.run("busy", "ran = []");
    writeFileSync(join(hub.folder, "late.py"), "import __main__\n__main__.ran.append(1)\n");
    writeNotebook("late.ipynb", "ran.append(1)");
    await hub.granary(["run", "--session", "busy", "--background", "-c", "import time\nwhile True: time.sleep(0.01)"]);
    await until(
      "the cell runs",
      async () =>
        (await hub.status())?.sessions.some(({ name, state }) => name === "busy" && state === "busy") === true,
    );
    const { stderr, exitCode } = await hub.granary(args);
    expect(exitCode).toBe(124);
    expect(stderr).toMatch(
      /busy is still busy after 1 second: run-\d+ has been running for .* \(import time\)\. Nothing was run\. Wait for it: granary wait run-\d+\. Interrupt it: granary sessions interrupt busy\n/,
    );
    const { stdout } = await hub.granary(args.flatMap((arg) => (arg === "--session" ? ["--json", arg] : [arg])));
    expect(JSON.parse(stdout)).toMatchObject({ status: "timeout", error: { code: "session-busy" }, cells: [{}] });
    expect(JSON.parse(stdout).cells).toHaveLength(1);
    await hub.granary(["sessions", "interrupt", "busy"]);
    expect(await hub.run("busy", "ran")).toBe("[]");
  },
);
