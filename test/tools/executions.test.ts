import { describe, expect, test } from "vitest";
import type { ExecutionsDetails } from "../../src/tools/definition/details.ts";
import type { ToolUpdate } from "../../src/tools/definition/tool.ts";
import { createExecutionsTool } from "../../src/tools/executions.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { until } from "../kernel/until.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();

/** Prints a word, then waits for a file of that name. */
const printAndWait = (word: string): string =>
  `import os, time\nprint("${word}", flush=True)\nwhile not os.path.exists("${word}"): time.sleep(0.005)\nprint("end")`;

describe("executions", () => {
  test("lists running and ended cells, by title or first line", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    expect(textOf(await executions.run({}))).toBe("(nothing was run yet)");
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "x = 1\ny = 2" }, { title: "divide", code: "1 / 0" }] });
    await python.run({ cells: [{ code: "z = 3" }], session: "other" });
    await context.runtime.session("of somebody else").run("1").result;
    const result = await executions.run({});
    expect(textOf(result)).toBe("run-1 ok (main): x = 1 …\nrun-2 error (main): divide\nrun-3 ok (other): z = 3");
    expect(result.structured).toMatchObject({ executions: [{ id: "run-1", status: "ok" }, {}, {}] });
  });

  test("returns only output since a position, during the run and after it", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    const { id } = context.sessionFor().run(printAndWait("news"), { background: true });
    await until("it has printed", async () => textOf(await executions.run({ id })).includes("news"));
    const first = await executions.run({ action: "poll", id });
    expect(textOf(first)).toMatch(/^run-1 is running, \d+ s so far\. Next position: \d+\.\n\nnews$/);
    const { position } = first.structured as { position: number };
    expect(textOf(await executions.run({ id, since: position }))).toMatch(/\n\n\(nothing new\)$/);
    await context.sessionFor("other").run("open('news', 'w').close()").result;
    const last = await executions.run({ action: "wait", id, since: position });
    expect(textOf(last)).toBe("run-1 is over: ok.\n\nend");
    expect(textOf(await executions.run({ id }))).toBe("run-1 is over: ok.\n\nnews\nend");
  });

  test("puts displays on lines of their own, and returns nothing while there is no output", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    const waiting =
      "import os, time\nwhile not os.path.exists('quiet'): time.sleep(0.01)\nprint('printed', end='')\n'shown'";
    const { id } = context.sessionFor().run(waiting, { background: true });
    await until("it runs", () => context.runtime.execution(id)?.status === "running");
    expect(textOf(await executions.run({ id }))).toMatch(/^run-1 is running, .*\n\n\(no output yet\)$/);
    await context.sessionFor("other").run("open('quiet', 'w').close()").result;
    expect(textOf(await executions.run({ action: "wait", id, since: 1 }))).toBe(
      "run-1 is over: ok.\n\nprinted\n'shown'",
    );
  });

  test("stops waiting at the timeout, and the cell continues", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    const { id } = context.sessionFor().run(printAndWait("patience"), { background: true });
    await until("it runs", () => context.runtime.execution(id)?.status === "running");
    const updates: ToolUpdate<ExecutionsDetails>[] = [];
    const waited = await executions.run(
      { action: "wait", id, timeout: 1 },
      { onUpdate: (update) => updates.push(update) },
    );
    expect(textOf(waited)).toMatch(/^run-1 is running,/);
    expect(updates.length).toBeGreaterThan(0);
    expect(updates.at(-1)?.details.executions[0]).toMatchObject({ id, status: "running" });
    await context.sessionFor("other").run("open('patience', 'w').close()").result;
    expect((await context.runtime.execution(id)?.result)?.status).toBe("ok");
  });

  test("a caller that leaves ends the wait and not the work; interrupt ends the work", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    const { id } = context.sessionFor().run(printAndWait("never made"), { background: true });
    const caller = new AbortController();
    const waiting = executions.run({ action: "wait", id }, { signal: caller.signal });
    await until("it runs", () => context.runtime.execution(id)?.tail(100) === "never made\n");
    caller.abort();
    expect(textOf(await waiting)).toBe("Error: The call was cancelled.");
    expect(context.runtime.execution(id)?.isOver).toBe(false);
    const stopped = await executions.run({ action: "interrupt", id });
    expect(textOf(stopped)).toMatch(/^run-1 is over: cancelled \(KeyboardInterrupt\)\.\n\nnever made\n/);
    expect(stopped.isError).toBe(false);
  });

  test("says why a cell was not run", async () => {
    await using context = await contextIn(folder);
    await createPythonTool(context).run({ cells: [{ code: "1 / 0" }, { code: "2" }] });
    expect(textOf(await createExecutionsTool(context).run({ id: "run-2" }))).toBe(
      "run-2 is over: skipped (a cell before it in the same call did not succeed).",
    );
  });

  test("reports how a cell failed, with its traceback", async () => {
    await using context = await contextIn(folder);
    const { id, result } = context.sessionFor().run("1 / 0", { background: true });
    await result;
    expect(textOf(await createExecutionsTool(context).run({ id }))).toMatch(
      /^run-1 is over: error \(ZeroDivisionError: division by zero\)\.\n\nTraceback/,
    );
  });

  test("an unknown id lists the known ones", async () => {
    await using context = await contextIn(folder);
    const executions = createExecutionsTool(context);
    expect(textOf(await executions.run({ id: "run-7" }))).toBe("Error: There is no run-7. There are none.");
    await context.sessionFor().run("1").result;
    expect(textOf(await executions.run({ id: "run-7" }))).toBe("Error: There is no run-7. The latest: run-1.");
    expect(textOf(await executions.run({ action: "wait" }))).toBe("Error: Nothing is running.");
  });
});
