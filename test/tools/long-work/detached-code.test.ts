import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ToolContext } from "../../../src/tools/context/tool-context.ts";
import { createEvalTool } from "../../../src/tools/eval.ts";
import { createExecutionsTool } from "../../../src/tools/executions.ts";
import { createPythonTool } from "../../../src/tools/python.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { contextIn, textOf } from "../contexts.ts";

const folder = temporaryFolder();

/** Prints a word and waits for a file of that name. */
const printAndWait = (word: string): string => py`
  import os, time
  print("${word}", flush=True)
  while not os.path.exists("${word}"): time.sleep(0.005)
  print("end")
`;

const letGo = (word: string): void => writeFileSync(join(folder, word), "");

/** The session has its kernel, so that a call waits only for its cells. */
async function tools(context: ToolContext) {
  await context.sessionFor().start().result;
  return { python: createPythonTool(context), executions: createExecutionsTool(context) };
}

describe("a call that has waited for its timeout", () => {
  test("returns with the output so far, and the cell ends as if the call had waited", async () => {
    await using context = await contextIn(folder);
    const { python, executions } = await tools(context);
    const result = await python.run({ cells: [{ code: printAndWait("outlives") }], timeout: 1 });
    expect(textOf(result)).toMatch(
      /^still running: run-2, \d+ s so far\.\n\noutlives\n\nNote: .*"wait", "id": "run-2"/s,
    );
    expect(result).toMatchObject({
      isError: false,
      details: { background: true },
      structured: { status: "running", cells: [{ id: "run-2", status: "running" }] },
    });
    letGo("outlives");
    const waited = await executions.run({ action: "wait", id: "run-2" });
    expect(textOf(waited)).toBe("run-2 is over: ok.\n\noutlives\nend");
    expect(textOf(await python.run({ cells: [{ code: "os.path.exists('outlives')" }] }))).toBe("True");
  });

  test("shows the ended cells and the running one, and names those that follow", async () => {
    await using context = await contextIn(folder);
    const { python, executions } = await tools(context);
    const cells = [{ code: "'first'" }, { title: "slow", code: printAndWait("several") }, { code: "'third'" }];
    const text = textOf(await python.run({ cells, timeout: 1 }));
    expect(text).toMatch(/^still running: run-3, \d s so far; run-4 follows\.\n\n\[cell 1\/3\]\n'first'\n/);
    expect(text).toContain("[cell 2/3: slow]\nseveral\n");
    expect(text).not.toContain("third");
    letGo("several");
    expect(textOf(await executions.run({ action: "wait", id: "run-4" }))).toBe("run-4 is over: ok.\n\n'third'");
  });

  test("names a position, from which only new output is shown later", async () => {
    await using context = await contextIn(folder);
    const { python, executions } = await tools(context);
    const text = textOf(await python.run({ cells: [{ code: printAndWait("since") }], timeout: 1 }));
    const since = Number(/"since": (\d+)/.exec(text)?.[1]);
    letGo("since");
    expect(textOf(await executions.run({ action: "wait", id: "run-2", since }))).toBe("run-2 is over: ok.\n\nend");
  });

  test("leaves a cell whose caller can no longer stop it, but executions can", async () => {
    await using context = await contextIn(folder);
    const { python, executions } = await tools(context);
    const caller = new AbortController();
    await python.run({ cells: [{ code: "x = 1" }] });
    await python.run({ cells: [{ code: printAndWait("never") }], timeout: 1 }, { signal: caller.signal });
    caller.abort();
    const cell = context.runtime.execution("run-3");
    expect(cell?.signal.aborted).toBe(false);
    expect(textOf(await executions.run({ action: "interrupt", id: "run-3" }))).toMatch(/^run-3 is over: cancelled/);
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
  });

  test("leaves an artifact with all of the output, including later output", async () => {
    await using context = await contextIn(folder);
    const { python } = await tools(context);
    const code = py`
      import os, time
      for number in range(20000): print("before", number)
      while not os.path.exists("artifact"): time.sleep(0.005)
      for number in range(20000): print("after", number)
    `;
    const result = await python.run({ cells: [{ code }], timeout: 2 });
    expect(textOf(result)).toMatch(/^still running: run-2/);
    letGo("artifact");
    const ended = await context.runtime.execution("run-2")?.result;
    const { findArtifact } = await import("../../../src/output/artifacts/read/find-artifact.ts");
    const found = await findArtifact(context.runtime.artifactRoot, ended?.truncation?.artifact ?? "");
    const lines = readFileSync(found.path, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(40_000);
    expect([lines[0], lines.at(-1)]).toEqual(["before 0", "after 19999"]);
  });

  test("does not count the time spent waiting for a person's answer", async () => {
    await using context = await contextIn(folder);
    const { python } = await tools(context);
    const answer = () => new Promise<string>((resolve) => setTimeout(() => resolve("Ada"), 1500));
    const result = await python.run({ cells: [{ code: "input('Who? ')" }], timeout: 1 }, { answer });
    expect(textOf(result)).toBe("'Ada'");
  });

  test("answers no question afterwards: the cell ends, and says why", async () => {
    await using context = await contextIn(folder);
    const { python, executions } = await tools(context);
    const asked: string[] = [];
    const answer = async (prompt: string) => String(asked.push(prompt));
    const code = `${printAndWait("asks later")}\ninput("Who? ")`;
    await python.run({ cells: [{ code }], timeout: 1 }, { answer });
    letGo("asks later");
    const text = textOf(await executions.run({ action: "wait", id: "run-2" }));
    expect(text).toContain("asked for input after its call had returned");
    expect(asked).toEqual([]);
  });

  test("eval does the same", async () => {
    await using context = await contextIn(folder);
    await tools(context);
    const cells = [{ language: "py", code: printAndWait("eval") }];
    const result = await createEvalTool(context).run({ cells, timeout: 1 });
    expect(textOf(result)).toMatch(/^still running: run-2, \d+ s so far\./);
    letGo("eval");
    expect((await context.runtime.execution("run-2")?.result)?.status).toBe("ok");
  });
});

describe("what ends a cell all the same", () => {
  test("python.hardLimitSeconds, with the documented words; variables stay", async () => {
    await using context = await contextIn(folder, { python: { hardLimitSeconds: 1 } });
    const { python } = await tools(context);
    await python.run({ cells: [{ code: "x = 1" }] });
    const result = await python.run({ cells: [{ code: "import time\ntime.sleep(600)" }] });
    expect(textOf(result)).toMatch(/^Error: The cell failed: it ran out of time\. .*python\.hardLimitSeconds/);
    expect(textOf(result)).toMatch(/\nCommand timed out after 1 second$/);
    expect(result).toMatchObject({ isError: true, details: { ledger: { state: "interrupted" } } });
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
  });

  test("the hard limit also when the call has returned before", async () => {
    await using context = await contextIn(folder, { python: { hardLimitSeconds: 2 } });
    const { python, executions } = await tools(context);
    await python.run({ cells: [{ code: "import time\ntime.sleep(600)" }], timeout: 1 });
    const text = textOf(await executions.run({ action: "wait", id: "run-2" }));
    expect(text).toMatch(/^run-2 is over: timeout .*Command timed out after 2 seconds$/s);
  });

  test("a caller that gives up while it waits", async () => {
    await using context = await contextIn(folder);
    const { python } = await tools(context);
    const caller = new AbortController();
    const running = python.run({ cells: [{ code: printAndWait("given up") }] }, { signal: caller.signal });
    await until("it runs", () => context.runtime.execution("run-2")?.tail(100) === "given up\n");
    caller.abort();
    expect(textOf(await running)).toMatch(/^Error: The cell was stopped: it was interrupted\./);
  });

  test("the end of its session", async () => {
    const context = await contextIn(folder);
    {
      await using _closed = context;
      await (await tools(context)).python.run({ cells: [{ code: printAndWait("no end") }], timeout: 1 });
    }
    expect(await context.runtime.execution("run-2")?.result).toMatchObject({ status: "cancelled" });
  });
});
