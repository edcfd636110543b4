import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { NotebookProgress } from "../../src/execute/notebook/notebook-run.ts";
import { sayFailed } from "../../src/execute/notebook/run-summary.ts";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { validateNotebook } from "../../src/notebook/validate/validate-notebook.ts";
import { py } from "../kernel/py.ts";
import { folder, idOf, notebookFile, readCells, runtime, shownBy } from "./notebook-runs.ts";

const tagged = (source: string, ...tags: string[]) => ({ source, metadata: { tags } });
const markdown = (source: string) => ({ cell_type: "markdown", source });

/** Ends when the notebook beside it has the output of the cell before. */
const untilSaved = py`
  import glob, os, time
  path = max(glob.glob("notebook-*.ipynb"), key=os.path.getctime)
  wanted, deadline = x * 3, time.monotonic() + 30
  while wanted not in open(path).read() and time.monotonic() < deadline:
      time.sleep(0.01)
  wanted in open(path).read()
`;

describe("running a notebook", () => {
  test("writes outputs, counts, times and the kernel into it, and it stays valid", async () => {
    await using granary = await runtime();
    const path = notebookFile([markdown("# Title"), "x = 6\nprint('hi')", "x * 7"]);
    const run = await runNotebook(granary.session(), path);
    expect(run).toMatchObject({ status: "ok", savedTo: path, failed: null, failure: null });
    expect(run.cells.map(({ index, id, status, executionCount }) => [index, id, status, executionCount])).toEqual([
      [1, idOf(1), "ok", 1],
      [2, idOf(2), "ok", 2],
    ]);
    expect(shownBy(path)).toEqual([[], ["stdout: hi\n"], ["result: 42"]]);
    const { metadata } = JSON.parse(readFileSync(path, "utf8"));
    expect(metadata.kernelspec).toEqual({ display_name: "Python 3 (ipykernel)", language: "python", name: "python3" });
    expect(metadata.language_info).toMatchObject({ name: "python", version: expect.stringMatching(/^3\./) });
    const cell = readCells(path)[1] as { readonly metadata: { readonly execution: object } };
    expect(Object.keys(cell.metadata.execution)).toEqual([
      "granary.run",
      "granary.source",
      "iopub.execute_input",
      "iopub.status.busy",
      "iopub.status.idle",
      "shell.execute_reply",
      "shell.execute_reply.started",
    ]);
    expect(validateNotebook(parseNotebook(readFileSync(path)))).toEqual([]);
  });

  test("changes nothing in the file but outputs, counts and metadata", async () => {
    await using granary = await runtime();
    const path = notebookFile([markdown("# Ünïcode"), "print('ü')"]);
    const before = readFileSync(path, "utf8").split("\n");
    await runNotebook(granary.session(), path, { recordTimes: false });
    const after = readFileSync(path, "utf8").split("\n");
    const gone = before.filter((line) => !after.includes(line));
    expect(gone.map((line) => line.trim())).toEqual(['"execution_count": null,', '"outputs": [],', '"metadata": {},']);
  });

  test("stops at the first cell that fails; those after it keep what they showed", async () => {
    await using granary = await runtime();
    const old = { execution_count: 9, outputs: [{ name: "stdout", output_type: "stream", text: ["old\n"] }] };
    const path = notebookFile(["print(1)", "1 / 0", { source: "print(2)", ...old }]);
    const run = await runNotebook(granary.session(), path);
    expect(run).toMatchObject({ status: "error", failed: { index: 1, error: { name: "ZeroDivisionError" } } });
    expect(run.cells.map(({ status }) => status)).toEqual(["ok", "error", "not-run"]);
    expect(shownBy(path)).toEqual([["stdout: 1\n"], ["error: ZeroDivisionError: division by zero"], ["stdout: old\n"]]);
  });

  test("skips blank and tagged cells, and allows expected failures", async () => {
    await using granary = await runtime();
    const path = notebookFile([
      "  \n",
      tagged("1 / 0", "skip-execution"),
      tagged("1 / 0", "raises-exception"),
      "print(1)",
    ]);
    const run = await runNotebook(granary.session(), path);
    expect(run.status).toBe("ok");
    expect(run.cells.map(({ status, whySkipped }) => whySkipped ?? status)).toEqual([
      "it is blank",
      "it has the tag skip-execution",
      "error",
      "ok",
    ]);
    expect(shownBy(path)).toEqual([[], [], ["error: ZeroDivisionError: division by zero"], ["stdout: 1\n"]]);
  });

  test("continues after errors when they are allowed", async () => {
    await using granary = await runtime();
    const path = notebookFile(["1 / 0", "print(1)"]);
    const run = await runNotebook(granary.session(), path, { allowErrors: true });
    expect(run).toMatchObject({ status: "ok", failed: null });
    expect(shownBy(path)[1]).toEqual(["stdout: 1\n"]);
  });

  test("runs only the cells that were asked for", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)", "print(1)", "print(2)", "print(3)"]);
    await runNotebook(granary.session(), path, { cells: [1, idOf(3)] });
    expect(shownBy(path)).toEqual([[], ["stdout: 1\n"], [], ["stdout: 3\n"]]);
    await runNotebook(granary.session(), path, { from: 2 });
    expect(shownBy(path)).toEqual([[], ["stdout: 1\n"], ["stdout: 2\n"], ["stdout: 3\n"]]);
  });

  test("asked for a cell that is not there, runs none", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(0)"]);
    await expect(runNotebook(granary.session(), path, { cells: [0, 7] })).rejects.toThrow("There is no cell 7");
    expect(shownBy(path)).toEqual([[]]);
  });

  test("ends when a cell runs out of time; its kernel lives on", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 1", "print('begun', flush=True)\nimport time\ntime.sleep(60)", "print(1)"]);
    const run = await runNotebook(granary.session(), path, { timeoutMs: 500 });
    expect(run).toMatchObject({ status: "timeout", failed: { index: 1 }, ledger: { state: "interrupted" } });
    expect(shownBy(path)[1]).toEqual(["stdout: begun\n", "error: KeyboardInterrupt: "]);
  });

  test("an abort interrupts the running cell and saves the outputs so far", async () => {
    await using granary = await runtime();
    const stop = new AbortController();
    const path = notebookFile(["print(1)", "print('begun', flush=True)\nimport time\ntime.sleep(60)", "print(1)"]);
    const onProgress = (progress: NotebookProgress) => {
      if (progress.type === "text" && progress.text.includes("begun")) stop.abort();
    };
    const run = await runNotebook(granary.session(), path, { signal: stop.signal, onProgress });
    expect(run).toMatchObject({ status: "cancelled", failed: { index: 1 } });
    expect(shownBy(path)).toEqual([["stdout: 1\n"], ["stdout: begun\n", "error: KeyboardInterrupt: "], []]);
  });

  test("the outputs of quick cells are in the file while a later cell runs", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x = 'quick'", "x * 2", "x * 3", untilSaved]);
    const run = await runNotebook(granary.session(), path);
    expect(run).toMatchObject({ status: "ok" });
    expect(shownBy(path).slice(1)).toEqual([["result: 'quickquick'"], ["result: 'quickquickquick'"], ["result: True"]]);
  });

  test("a caller that wants no more after a cell gets no more, however quick the cells are", async () => {
    await using granary = await runtime();
    const stop = new AbortController();
    const path = notebookFile(["print(1)", "print(2)", "print(3)"]);
    const onProgress = (progress: NotebookProgress) => {
      if (progress.type === "cell-ends" && progress.number === 2) stop.abort();
    };
    const run = await runNotebook(granary.session(), path, { signal: stop.signal, onProgress });
    expect(run.cells.map(({ status }) => status)).toEqual(["ok", "ok", "not-run"]);
    expect(shownBy(path)).toEqual([["stdout: 1\n"], ["stdout: 2\n"], []]);
  });

  test("saves to another file, or nowhere, and leaves the notebook as it is", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(1)"]);
    const before = readFileSync(path, "utf8");
    const other = join(folder, "other.ipynb");
    writeFileSync(other, "something else");
    expect(await runNotebook(granary.session(), path, { saveTo: other })).toMatchObject({ savedTo: other });
    expect(shownBy(other)).toEqual([["stdout: 1\n"]]);
    const run = await runNotebook(granary.session(), path, { saveTo: null });
    expect(run).toMatchObject({ savedTo: null, cells: [{ outputsChanged: true }] });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("reports for each cell whether its output changed", async () => {
    await using granary = await runtime();
    const path = notebookFile(["object()", "from itertools import count\nc = count()", "print(next(c))"]);
    const session = granary.session();
    await runNotebook(session, path);
    const again = await runNotebook(session, path, { cells: [0, 2] });
    expect(again.cells.map(({ outputsChanged }) => outputsChanged)).toEqual([false, null, true]);
    expect(again.cells[2]?.difference).toEqual({ was: "stdout: 0", is: "stdout: 1" });
  });

  test("reports its progress to watchers", async () => {
    await using granary = await runtime();
    const told: string[] = [];
    await runNotebook(granary.session(), notebookFile(["print('a')", " ", "2"]), {
      onProgress: (step) =>
        told.push(
          "number" in step ? `${step.type} ${step.number} of ${step.of}` : "text" in step ? step.text : step.type,
        ),
    });
    expect(told).toEqual(["cell-begins 1 of 2", "a\n", "cell-ends 1 of 2", "cell-begins 2 of 2", "cell-ends 2 of 2"]);
  });
});

describe("the output of a cell", () => {
  test("may be updated by a later cell, and cleared", async () => {
    await using granary = await runtime();
    const path = notebookFile([
      "handle = display('first', display_id=True)",
      "print('gone')\nfrom IPython.display import clear_output\nclear_output(wait=True)\nprint('stays')",
      "handle.update('second')\nprint('updated')",
    ]);
    await runNotebook(granary.session(), path);
    expect(shownBy(path)).toEqual([["display: 'second'"], ["stdout: stays\n"], ["stdout: updated\n"]]);
    expect(readFileSync(path, "utf8")).not.toMatch(/transient|display_id"/);
  });

  test("is joined per stream, in the order in which it came", async () => {
    await using granary = await runtime();
    const cell = py`
      import sys
      for n in range(3): print(n)
      print("warning", file=sys.stderr)
      display("shown")
      print("end")
    `;
    const path = notebookFile([cell]);
    await runNotebook(granary.session(), path);
    expect(shownBy(path)).toEqual([["stdout: 0\n1\n2\n", "stderr: warning\n", "display: 'shown'", "stdout: end\n"]]);
  });

  test("is kept up to a limit, and the notebook reports omitted output", async () => {
    await using granary = await runtime();
    const path = notebookFile(["for _ in range(30): print('x' * 99_999)", "print('next')"]);
    await runNotebook(granary.session(), path, { maxCellMegabytes: 1 });
    const [[kept, note] = [], next] = shownBy(path);
    expect(kept).toHaveLength("stdout: ".length + 1_000_000);
    expect(note).toContain("Only the first 1 MB of this cell's output are kept here; 2.0 MB more are left out.");
    expect(note).toContain("notebook.maxCellMegabytes");
    expect(next).toEqual(["stdout: next\n"]);
  });

  test("reports that input had no answer", async () => {
    await using granary = await runtime();
    const path = notebookFile(["input('Name: ')", "print(1)"]);
    const run = await runNotebook(granary.session(), path);
    expect(run).toMatchObject({ status: "error", failed: { index: 0, error: { name: "InputNotAvailable" } } });
    expect(shownBy(path)[0]?.at(-1)).toMatch(/^error: InputNotAvailable: The cell asked for input/);
  });
});

describe("parameters", () => {
  test("no parameters at all add no cell, as in papermill", async () => {
    await using granary = await runtime();
    const path = notebookFile(["n = 1", "print(n)"]);
    const run = await runNotebook(granary.session(), path, { parameters: {} });
    expect(shownBy(path)).toEqual([[], ["stdout: 1\n"]]);
    expect(run.notices).toEqual([]);
  });

  test("are set in a cell behind their defaults, and replaced by the next run", async () => {
    await using granary = await runtime();
    const path = notebookFile([tagged("n = 1\nname = 'a'", "parameters"), "print(n, name)"]);
    await runNotebook(granary.session(), path, { parameters: { n: 2, name: 'O"Neill' } });
    await runNotebook(granary.session(), path, { parameters: { n: 3 } });
    const cells = readCells(path);
    expect(cells.map(({ source }) => (source as string[]).join?.("") ?? source)).toEqual([
      "n = 1\nname = 'a'",
      "# Parameters\nn = 3",
      "print(n, name)",
    ]);
    expect(cells[1]?.metadata).toMatchObject({ tags: ["injected-parameters"] });
    expect(shownBy(path)[2]).toEqual(["stdout: 3 a\n"]);
  });

  test("without a place for them go to the top, with a notice", async () => {
    await using granary = await runtime();
    const path = notebookFile(["print(n)"]);
    const run = await runNotebook(granary.session(), path, { cells: [0], parameters: { n: [1, null, true] } });
    expect(shownBy(path)).toEqual([[], ["stdout: [1, None, True]\n"]]);
    expect(run.notices).toEqual([expect.stringContaining('No cell has the tag "parameters"')]);
  });

  test("need names that Python knows", async () => {
    await using granary = await runtime();
    const run = runNotebook(granary.session(), notebookFile(["1"]), { parameters: { "import os": 1 } });
    await expect(run).rejects.toThrow(/"import os" cannot be a parameter/);
  });
});

describe("when something is wrong", () => {
  test.each([["never"], ["once"]] as const)(
    "a cell that ends its kernel ends the run (crashRetry: %s)",
    async (crashRetry) => {
      await using granary = await runtime({
        settings: { python: { crashRetry } },
      });
      const path = notebookFile(["x = 1", "print('before', flush=True)\nimport os\nos._exit(3)", "print(x)"]);
      const run = await runNotebook(granary.session(), path);
      expect(run).toMatchObject({ status: "failed", failed: { index: 1 } });
      expect(run.failure?.message).toContain("exit code 3");
      expect(run.cells.map(({ status }) => status)).toEqual(["ok", "failed", "not-run"]);
      expect(shownBy(path)[1]).toEqual([
        "stdout: before\n",
        expect.stringMatching(/^error: DeadKernelError: .*exit code 3/s),
      ]);
    },
  );

  test("per-call mode cannot run a notebook, and the failure names the setting", async () => {
    await using granary = await runtime({ settings: { python: { kernelMode: "per-call" } } });
    const run = await runNotebook(granary.session(), notebookFile(["x = 1", "x"]));
    expect(run).toMatchObject({ status: "failed", failure: { code: "kernel-restarted" } });
    expect(run.failure?.message).toContain("python.kernelMode is per-call");
  });

  test("a kernel that was replaced between two cells ends the run, because variables are gone", async () => {
    await using granary = await runtime();
    const session = granary.session();
    const path = notebookFile(["x = 1", "y = 2", "print('not reached')"]);
    const onProgress = (step: NotebookProgress) => {
      if (step.type === "cell-ends" && step.cell.index === 0) void session.reset();
    };
    const run = await runNotebook(session, path, { onProgress });
    expect(run).toMatchObject({ status: "failed", failure: { code: "kernel-restarted" }, failed: { index: 1 } });
    expect(run.cells.map(({ status }) => status)).toEqual(["ok", "failed", "not-run"]);
  });

  test("a kernel that cannot start leaves the notebook as it is", async () => {
    await using granary = await runtime({ settings: { python: { interpreter: join(folder, "no-python") } } });
    const path = notebookFile(["1"]);
    const before = readFileSync(path, "utf8");
    const run = await runNotebook(granary.session(), path, { parameters: { n: 1 } });
    expect(run).toMatchObject({ status: "failed", failed: { status: "not-run" } });
    expect(run.failure?.message).toContain("no-python");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("a notebook in another language is refused", async () => {
    await using granary = await runtime();
    const path = notebookFile(["x <- 1"], { kernelspec: { display_name: "R", language: "R", name: "ir" } });
    await expect(runNotebook(granary.session(), path)).rejects.toThrow("This notebook is in R (kernel ir)");
  });

  test("no notebook, no run", async () => {
    await using granary = await runtime();
    const path = join(folder, "missing.ipynb");
    await expect(runNotebook(granary.session(), path)).rejects.toThrow("There is no notebook at");
    expect(existsSync(path)).toBe(false);
  });
});

describe("resuming", () => {
  test("continues with the cell that failed, if the kernel still lives", async () => {
    await using granary = await runtime();
    const session = granary.session();
    const path = notebookFile(["print('once')\nx = 1", "y", "print(x, y)"]);
    expect(await runNotebook(session, path)).toMatchObject({ status: "error", failed: { index: 1 } });
    await session.run("y = 2").result;
    const run = await runNotebook(session, path, { resume: true });
    expect(run).toMatchObject({ status: "ok", notices: [] });
    expect(run.cells.map(({ status }) => status)).toEqual(["skipped", "ok", "ok"]);
    expect(shownBy(path)).toEqual([["stdout: once\n"], ["result: 2"], ["stdout: 1 2\n"]]);
  });

  test("continues with a cell that crashed, where a checkpoint has the variables of the cells before", async () => {
    await using granary = await runtime({ settings: { python: { checkpoints: "always" } } });
    const session = granary.session();
    const path = notebookFile(["x = 1", "x += 1", "import os\nif x == 2: os._exit(2)", "print(x)"]);
    expect(await runNotebook(session, path)).toMatchObject({ status: "failed", failed: { index: 2 } });
    // Again, in the first cell of a run.
    expect(await runNotebook(session, path, { resume: true })).toMatchObject({
      status: "failed",
      failed: { index: 2 },
    });
    await session.run("x += 10").result;
    const run = await runNotebook(session, path, { resume: true });
    expect(run.cells.map(({ status }) => status)).toEqual(["skipped", "skipped", "ok", "ok"]);
    expect(shownBy(path).at(-1)).toEqual(["stdout: 12\n"]);
  });

  test("says why not, and runs from the start, where it does not", async () => {
    await using granary = await runtime();
    const session = granary.session();
    const path = notebookFile(["x = 1", "y"]);
    await runNotebook(session, path);
    await session.reset().result;
    const run = await runNotebook(session, path, { resume: true });
    expect(run.notices[0]).toMatch(/kernel of the run that stopped is gone.* The notebook is run from the start\.$/);
    expect(run.cells.map(({ status }) => status)).toEqual(["ok", "error"]);
  });
});

describe("a run whose result cannot be saved", () => {
  test.each([
    ["in a folder that does not exist", "nowhere/x.ipynb", "its folder does not exist"],
    ["where there is a folder", ".", "it is a folder"],
  ])("%s does not begin", async (_, name, why) => {
    await using granary = await runtime();
    const path = notebookFile([`open(${JSON.stringify(join(folder, "it-ran"))}, "w")`]);
    const run = runNotebook(granary.session(), path, { saveTo: join(folder, name) });
    await expect(run).rejects.toThrow(why);
    expect(existsSync(join(folder, "it-ran"))).toBe(false);
  });

  test("any longer ends, and reports its cells and the unsaved outputs", async () => {
    await using granary = await runtime();
    const results = join(folder, "results");
    mkdirSync(results);
    const removeFolder = `import shutil, time\ntime.sleep(0.2)\nshutil.rmtree(${JSON.stringify(results)})\nprint(1)`;
    const path = notebookFile(["print(0)", removeFolder, "print(2)"]);
    const run = await runNotebook(granary.session(), path, { saveTo: join(results, "out.ipynb") });
    expect(run).toMatchObject({ status: "failed", failed: null, failure: { code: "not-writable" } });
    expect(run.cells.map(({ status, stored }) => [status, stored])).toEqual([
      ["ok", "stored"],
      ["ok", "unsaved"],
      ["not-run", null],
    ]);
    expect(sayFailed(run, results, Number.POSITIVE_INFINITY)).toBe(
      [
        `${join(results, "out.ipynb")} cannot be written: its folder does not exist; make the folder first.`,
        "Not run: cell 2.",
        "Not saved: the outputs of cell 1.",
        "Earlier outputs are in out.ipynb.",
      ].join("\n"),
    );
  });

  test("keeps the verdict of the cell that failed", async () => {
    await using granary = await runtime();
    const results = join(folder, "more-results");
    mkdirSync(results);
    const path = notebookFile([`import shutil\nshutil.rmtree(${JSON.stringify(results)})\n1 / 0`]);
    const run = await runNotebook(granary.session(), path, { saveTo: join(results, "out.ipynb") });
    expect(run).toMatchObject({ status: "error", savedTo: null, failed: { index: 0, stored: "unsaved" } });
    expect(sayFailed(run, folder, Number.POSITIVE_INFINITY)).toMatch(
      /Not saved: the outputs of cell 0\. \S+ cannot be written: its folder does not exist; make the folder first\.$/,
    );
  });
});
