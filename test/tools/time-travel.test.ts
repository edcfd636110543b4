import { describe, expect, test } from "vitest";
import { createExecutionsTool } from "../../src/tools/executions.ts";
import { createKernelsTool } from "../../src/tools/kernels.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { createVariablesTool } from "../../src/tools/variables.ts";
import { until } from "../kernel/until.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();

describe("an agent", () => {
  test("undoes cells, sees the states that there are, and reads what killed Python", async () => {
    await using context = await contextIn(folder, { python: { checkpoints: "auto" } });
    const python = createPythonTool(context);
    const kernels = createKernelsTool(context);
    await python.run({ cells: [{ code: "x = 1" }, { code: "x = 2" }, { code: "x = 3" }] });
    await until("the last copy is there", async () => textOf(await kernels.run({})).includes("after cell 2"));
    expect(textOf(await kernels.run({}))).toMatch(
      /checkpoints: after cell 1 \(\d+ s ago.*\), after cell 2 \(\d+ s ago/,
    );
    expect(textOf(await createVariablesTool(context).run({}))).toMatch(/^x: int = 3\n\(checkpoints: after cell 1/);
    expect(textOf(await kernels.run({ action: "undo", to: 1 }))).toBe(
      "Cells 2 and 3 were undone. Variables are as they were after cell 1. Files on disk stay as they are.",
    );
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
    const crashed = textOf(await python.run({ cells: [{ code: "x = 9; import os; os._exit(1)" }] }));
    expect(crashed).toMatch(/^Error: The cell failed: Python ended itself with exit code 1\./);
    expect(crashed).toMatch(/Note: Variables are as they were after cell 2\. Files on disk stay as they are\.$/);
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
  });

  test("tries alternatives on one state at the same time, and continues as one of them", async () => {
    await using context = await contextIn(folder, { python: { checkpoints: "auto" } });
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "rows = [3, 1, 2]" }] });
    const branches = [
      { title: "sorted", cells: ["rows.sort()", "rows"] },
      { title: "reversed", cells: ["rows.reverse(); rows"] },
      { title: "broken", cells: ["rows / 0"] },
    ];
    const result = await python.run({ branches });
    expect(result.isError).toBe(false);
    expect(textOf(result)).toContain("[branch sorted]\n[cell 1/2: sorted]\n(no output)\n[cell 2/2: sorted]\n[1, 2, 3]");
    expect(textOf(result)).toContain("[branch reversed]\n[2, 1, 3]");
    expect(textOf(result)).toContain("[branch broken]\nError: The cell failed: TypeError");
    expect(textOf(result)).toMatch(/Note: Session main is as before\. To continue as a branch: \{"keep": "sorted"\}$/);
    const ids = (result.structured.cells as readonly { id: string }[]).map(({ id }) => id);
    const listed = async () => (await createExecutionsTool(context).run({ action: "list" })).structured.executions;
    for (const id of ids) expect(await listed()).toContainEqual(expect.objectContaining({ id }));
    expect(textOf(await python.run({ keep: "reversed" }))).toBe("Session main continues as branch reversed.");
    for (const id of ids) expect(await listed()).toContainEqual(expect.objectContaining({ id }));
    expect(textOf(await python.run({ cells: [{ code: "rows" }] }))).toBe("[2, 1, 3]");
    expect(textOf(await python.run({ keep: "sorted" }))).toMatch(/^Error: There is no branch sorted\. None is open\./);
    expect(context.runtime.sessions.map(({ id }) => id)).toEqual(["main"]);
  });

  test("continues in the session while a branch still runs, and keeps that branch later", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "import time; x = 1" }] });
    const branches = [
      { title: "quick", cells: ["x = 2"] },
      { title: "slow", cells: ["while not os.path.exists('go'): time.sleep(0.01)\nx = 3"] },
    ];
    await python.run({ cells: [{ code: "import os" }] });
    expect(textOf(await python.run({ branches, timeout: 1 }))).toMatch(/\[branch slow\]\nstill running: run-\d+/);
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
    expect(textOf(await python.run({ keep: "quick" }))).toMatch(/There is no branch quick\. Open are: slow\./);
    await python.run({ cells: [{ code: "open('go', 'w').close()" }] });
    const slow = context.runtime.sessions.find(({ id }) => id === "main/slow");
    await until("the slow branch is over", () => slow?.isBusy === false);
    expect(textOf(await python.run({ keep: "slow" }))).toBe("Session main continues as branch slow.");
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("3");
  });

  test("keeps a branch with the same call, unless the branch failed", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "x = 1" }] });
    const failed = await python.run({ branches: [{ title: "a", cells: ["x = 2; 1/0"] }], keep: "a" });
    expect(textOf(failed)).toMatch(/branch a failed, so it was not kept\.$/);
    expect(failed.isError).toBe(true);
    const kept = await python.run({ branches: [{ title: "a", cells: [{ code: "x = 3" }] }], keep: "a" });
    expect(textOf(kept)).toMatch(/Note: Session main continues as branch a\.$/);
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("3");
  });

  test("gets the reason when a request mixes cells and branches, or the kernel cannot be copied", async () => {
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    const branches = [{ title: "a", cells: ["1"] }];
    expect(textOf(await python.run({ cells: [{ code: "1" }], branches }))).toMatch(/^Error: Send cells, or branches/);
    expect(textOf(await python.run({}))).toMatch(/^Error: Send cells, or branches/);
    expect(textOf(await python.run({ branches, keep: "b" }))).toMatch(/^Error: keep names b, which is no branch/);
    expect(textOf(await python.run({ branches }))).toMatch(/^Error: There is no kernel yet/);
  });
});
