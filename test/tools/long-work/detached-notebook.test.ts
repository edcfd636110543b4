import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolContext } from "../../../src/tools/context/tool-context.ts";
import { createExecutionsTool } from "../../../src/tools/executions.ts";
import { createNotebookTool } from "../../../src/tools/notebook.ts";
import { createPythonTool } from "../../../src/tools/python.ts";
import { notebookText, shownBy } from "../../execute/notebook-runs.ts";
import { until } from "../../kernel/until.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { contextIn, textOf } from "../contexts.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Waits for a file of that name. */
const waitFor = (name: string): string =>
  `import os, time\nprint("${name}", flush=True)\nwhile not os.path.exists("${name}"): time.sleep(0.005)\nprint("end of ${name}")`;

const letGo = (name: string): void => writeFileSync(at(name), "");

async function tools(context: ToolContext) {
  await context.sessionFor().start().result;
  return {
    notebook: createNotebookTool(context),
    executions: createExecutionsTool(context),
    python: createPythonTool(context),
  };
}

function write(name: string, cells: readonly string[]): string {
  writeFileSync(at(name), notebookText([...cells]));
  return name;
}

describe("a run of a notebook that takes longer than its call waits", () => {
  test("continues within the cell and with those after it, and the file has all outputs", async () => {
    await using context = await contextIn(folder);
    const { notebook, executions } = await tools(context);
    const path = write("within.ipynb", ["'first'", waitFor("within"), "'third'"]);
    const result = await notebook.run({ action: "run", path, timeout: 1 });
    expect(textOf(result)).toMatch(/^still running: run-2, \d+ s so far, cell 1 \(2 of 3\)\.\n\n\[cell 0, 1 of 3\]\n/);
    expect(textOf(result)).toContain("[cell 1, 2 of 3]\nwithin\n");
    expect(result).toMatchObject({ isError: false, structured: { path: at(path), status: "running", id: "run-2" } });
    expect(shownBy(at(path))[0]).toEqual(["result: 'first'"]);
    letGo("within");
    const text = textOf(await executions.run({ action: "wait", id: "run-2" }));
    expect(text).toMatch(/^run-2 is over: ok\.\n\nRan 3 cells in .* Saved within\.ipynb\.\n\[cell 0: ok, /);
    expect(text).toContain("end of within\n");
    expect(shownBy(at(path))).toEqual([["result: 'first'"], ["stdout: within\nend of within\n"], ["result: 'third'"]]);
  });

  test("continues over several slow cells, and can be waited for again and again", async () => {
    await using context = await contextIn(folder);
    const { notebook, executions } = await tools(context);
    const path = write("between.ipynb", [waitFor("one"), waitFor("two"), "'three'"]);
    await notebook.run({ action: "run", path, timeout: 1 });
    expect(textOf(await executions.run({}))).toMatch(/\nrun-2 running \(main\): notebook run between\.ipynb$/);
    letGo("one");
    await until("the second cell runs", () => context.runtime.execution("run-2")?.tail(1000).includes("two") ?? false);
    expect(textOf(await executions.run({ action: "wait", id: "run-2", timeout: 1 }))).toMatch(/^run-2 is running/);
    letGo("two");
    expect(textOf(await executions.run({ action: "wait", id: "run-2" }))).toMatch(/^run-2 is over: ok/);
    expect(shownBy(at(path)).at(-1)).toEqual(["result: 'three'"]);
  });

  test("keeps the session busy, also between its cells", async () => {
    await using context = await contextIn(folder);
    const { notebook, python } = await tools(context);
    const path = write("busy.ipynb", ["1", waitFor("busy")]);
    await notebook.run({ action: "run", path, timeout: 1 });
    for (const call of [python.run({ cells: [{ code: "1" }] }), notebook.run({ action: "run", path })]) {
      expect(textOf(await call)).toMatch(/^Error: Session main is busy: run-2 \(notebook run busy\.ipynb\) /);
    }
    letGo("busy");
    await context.runtime.execution("run-2")?.result;
    expect(textOf(await python.run({ cells: [{ code: "os.path.exists('busy')" }] }))).toBe("True");
  });

  test("is interrupted by its id, and the file has the output until then", async () => {
    await using context = await contextIn(folder);
    const { notebook, executions } = await tools(context);
    const path = write("stopped.ipynb", ["'first'", waitFor("never"), "'third'"]);
    await notebook.run({ action: "run", path, timeout: 1 });
    const text = textOf(await executions.run({ action: "interrupt", id: "run-2" }));
    expect(text).toMatch(/^run-2 is over: cancelled/);
    const [first, second, third] = shownBy(at(path));
    expect([first, third]).toEqual([["result: 'first'"], []]);
    expect(second?.[0]).toBe("stdout: never\n");
  });

  test("fails as it would have failed for its caller", async () => {
    await using context = await contextIn(folder);
    const { notebook, executions } = await tools(context);
    const path = write("fails.ipynb", [`${waitFor("fails")}\n1 / 0`, "2"]);
    await notebook.run({ action: "run", path, timeout: 1 });
    letGo("fails");
    const text = textOf(await executions.run({ action: "wait", id: "run-2" }));
    expect(text).toMatch(/^run-2 is over: error \(ZeroDivisionError: division by zero\)\.\n\nCell 0 \(cell-0\) failed/);
    expect(text).toContain("Not run: cell 1.");
  });

  test("ends with its toolbox, and is saved", async () => {
    const path = write("closed.ipynb", ["'first'", waitFor("never made")]);
    const context = await contextIn(folder);
    {
      await using _closed = context;
      const { notebook } = await tools(context);
      await notebook.run({ action: "run", path, timeout: 1 });
    }
    expect((await context.runtime.execution("run-2")?.result)?.status).toBe("cancelled");
    expect(shownBy(at(path))[1]?.[0]).toBe("stdout: never made\n");
  });

  test("verify also continues, in its own kernel that is gone afterwards", async () => {
    await using context = await contextIn(folder);
    const { notebook, executions } = await tools(context);
    const path = write("verified.ipynb", [waitFor("verified")]);
    const before = shownBy(at(path));
    expect(textOf(await notebook.run({ action: "verify", path, timeout: 1 }))).toMatch(/^(still running|not begun)/);
    letGo("verified");
    const id = context.runtime.executions.find(({ cell }) => cell.code.startsWith("notebook verify"))?.id;
    expect(textOf(await executions.run({ action: "wait", id }))).toMatch(/1 of 1 cell shows something else\./);
    expect(shownBy(at(path))).toEqual(before);
    expect(context.runtime.sessions.map((session) => session.id)).toEqual(["main"]);
  });
});

test("a hard limit ends a cell of a notebook, in the documented words", async () => {
  await using context = await contextIn(folder, { python: { hardLimitSeconds: 1 } });
  const { notebook } = await tools(context);
  const path = write("limit.ipynb", ["import time; time.sleep(1000)", "2"]);
  const { content, structured } = await notebook.run({ action: "run", path });
  expect(textOf({ content } as never)).toMatch(/^Error: Cell 0 \(cell-0\) timed out after 1 second\.\n/);
  expect(structured).toMatchObject({ status: "timeout", failed: 0 });
});
