import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { runNotebooks } from "../../src/runtime/run-notebooks.ts";
import { runCells } from "../../src/session/run-cells.ts";
import { toolsFor } from "../bridge/host-tools.ts";
import { folder, notebookFile, notebookText, runtime, shownBy } from "../execute/notebook-runs.ts";
import { py } from "../kernel/py.ts";

/** Each cell needs the one before it. */
const cells = (name: string) => [`x = ['${name}']`, "x.append(len(x))", "x.append(len(x))", "print(x)"];
const several = (count: number) => Array.from({ length: count }, (_, index) => notebookFile(cells(`nb${index}`)));

describe("more notebooks than there may be kernels", () => {
  test.each([6, 12])("%i at once, each in a session of its own, all succeed with 4 places", async (count) => {
    await using granary = await runtime({ settings: { python: { maxSessions: 4 } } });
    const paths = several(count);
    const waited = new Set<string>();
    const runs = await Promise.all(
      paths.map((path) =>
        runNotebook(granary.session(path), path, {
          onProgress: (step) => step.type === "waiting" && step.reason !== null && waited.add(path),
        }),
      ),
    );
    expect(runs.map(({ status, failure }) => failure?.message ?? status)).toEqual(paths.map(() => "ok"));
    expect(paths.map((path) => shownBy(path)[3])).toEqual(paths.map((_, index) => [`stdout: ['nb${index}', 1, 2]\n`]));
    expect(waited.size).toBeGreaterThanOrEqual(count - 4);
  });

  test("a kernel between two cells of a run is not idle, and is idle when the run has ended", async () => {
    await using granary = await runtime({ settings: { python: { maxSessions: 1 } } });
    const first = granary.session("first");
    const isIdleWhenCellsEnd: boolean[] = [];
    const path = notebookFile(cells("held"));
    await runNotebook(first, path, {
      onProgress: (step) => step.type === "cell-ends" && isIdleWhenCellsEnd.push(first.shared.isIdle),
    });
    expect(isIdleWhenCellsEnd).toEqual([false, false, false, false]);
    expect(first.shared.isIdle).toBe(true);
    expect((await granary.session("second").run("1").result).status).toBe("ok");
    expect(first.shared.life).toBe("dead");
  });

  test("a cell of a call in two sessions that can never both have a kernel is refused, instead of waiting for ever", async () => {
    await using granary = await runtime({ settings: { python: { maxSessions: 1 } } });
    const [one, two] = [granary.session("one"), granary.session("two")];
    const steps = [{ code: "x = 1" }, { code: "2", session: two }, { code: "x" }];
    const { cells: results } = await runCells(one, steps);
    expect(results.map(({ status, failure }) => failure?.code ?? status)).toEqual([
      "ok",
      "waits-for-itself",
      "skipped",
    ]);
  });

  test("a notebook whose cell needs one more kernel by a tool gets an error, and continues", async () => {
    await using granary = await runtime({ settings: { python: { maxSessions: 1 } } });
    const inner = async () => ({ text: (await granary.session("inner").run("1").result).failure?.code ?? "ok" });
    granary.serveTools(toolsFor({ python: inner }));
    const path = notebookFile(["a = tool.python()", "print(a)"]);
    expect((await runNotebook(granary.session(), path)).status).toBe("ok");
    expect(shownBy(path)[1]).toEqual(["stdout: waits-for-itself\n"]);
  });
});

describe("a run that failed always says why with its cell", () => {
  test.each([
    ["a kernel that died", "import os\nos._exit(3)", {}, "failed", "DeadKernelError"],
    [
      "a time-out that the code takes no notice of",
      py`
      import time
      try:
          time.sleep(600)
      except KeyboardInterrupt:
          pass
    `,
      { timeoutMs: 200 },
      "timeout",
      "TimeoutError",
    ],
    ["an exception", "1 / 0", {}, "error", "ZeroDivisionError"],
  ])("%s", async (_, source, options, status, name) => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", source, "x"]);
    const run = await runNotebook(granary.session(), path, options);
    expect(run).toMatchObject({ status, failed: { index: 1, error: { name } } });
    expect(shownBy(path)[1]?.at(-1)).toMatch(new RegExp(`^error: ${name}: .`));
  });

  test("a kernel that cannot start", async () => {
    await using granary = await runtime({ settings: { python: { interpreter: join(folder, "no-python") } } });
    const run = await runNotebook(granary.session(), notebookFile(["1"]));
    expect(run).toMatchObject({ status: "failed", failed: { index: 0, error: { name: "KernelError" } } });
    expect(run.failed?.error?.message).toBe(run.failure?.message);
  });
});

describe("runNotebooks", () => {
  test("runs each in its own folder, in kernels of their own that end with it, and says how each went", async () => {
    mkdirSync(join(folder, "deep"), { recursive: true });
    const deep = join(folder, "deep", "deep.ipynb");
    writeFileSync(deep, notebookText(["import os; print(os.path.basename(os.getcwd()))"]));
    const failing = notebookFile(["x = 1", "1 / 0", "x"]);
    const missing = join(folder, "missing.ipynb");
    await using granary = await runtime({ settings: { python: { maxSessions: 2 } } });
    const told: string[] = [];
    const { status, notebooks } = await runNotebooks([deep, failing, missing, ...several(4)], {
      runtime: granary,
      jobs: 5,
      onNotebook: ({ path }) => told.push(path),
    });
    expect(status).toBe("error");
    expect(notebooks.map((outcome) => outcome.status)).toEqual(["ok", "error", "failed", "ok", "ok", "ok", "ok"]);
    expect(notebooks[2]).toMatchObject({ path: missing, run: null, failure: { code: "missing-file" } });
    expect(shownBy(deep)).toEqual([["stdout: deep\n"]]);
    expect(told).toHaveLength(7);
    expect(granary.sessions).toEqual([]);
  });

  test("stops all on a signal, saves finished cells, and begins no other", async () => {
    await using granary = await runtime();
    const paths = Array.from({ length: 5 }, () =>
      notebookFile(["print('kept')", "print('begun')\nimport time\ntime.sleep(600)", "print('never')"]),
    );
    const stop = new AbortController();
    let begun = 0;
    const { status, notebooks } = await runNotebooks(paths, {
      runtime: granary,
      jobs: 2,
      signal: stop.signal,
      onProgress: (_, step) => {
        if (step.type === "text" && step.text.includes("begun") && ++begun === 2) stop.abort();
      },
    });
    expect(status).toBe("cancelled");
    expect(notebooks.map((outcome) => outcome.run === null)).toEqual([false, false, true, true, true]);
    expect(notebooks.every((outcome) => outcome.status === "cancelled")).toBe(true);
    expect(shownBy(paths[1] as string)[0]).toEqual(["stdout: kept\n"]);
    expect(shownBy(paths[4] as string)).toEqual([[], [], []]);
  });

  test("saves elsewhere, and leaves the notebooks as they are", async () => {
    await using granary = await runtime();
    const [path = ""] = several(1);
    const before = readFileSync(path);
    await runNotebooks([path], { runtime: granary, saveTo: (each) => `${each}.out` });
    expect(readFileSync(path)).toEqual(before);
    expect(shownBy(`${path}.out`)[3]).toEqual(["stdout: ['nb0', 1, 2]\n"]);
  });

  test.each([
    ["twice the same file", { jobs: 1 }, ["a.ipynb", "./a.ipynb"], "a.ipynb and ./a.ipynb are the same file"],
    ["no number of jobs", { jobs: 0 }, ["a.ipynb"], "jobs must be a whole number from 1 on; got 0"],
  ])("refuses %s", async (_, options, paths, message) => {
    await using granary = await runtime();
    await expect(runNotebooks(paths, { runtime: granary, ...options })).rejects.toThrow(message);
  });
});
