import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createToolContext } from "../../src/tools/context/tool-context.ts";
import { createKernelsTool } from "../../src/tools/kernels.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { createVariablesTool } from "../../src/tools/variables.ts";
import { until } from "../kernel/until.ts";
import { temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();
const forever = "import time\ntime.sleep(600)";

describe("kernels", () => {
  test("lists the kernels with session, state and folder", async () => {
    await using context = await contextIn(folder);
    const kernels = createKernelsTool(context);
    expect(textOf(await kernels.run({}))).toBe("(no kernels)");
    await createPythonTool(context).run({ cells: [{ code: "1" }] });
    const result = await kernels.run({ action: "list" });
    expect(textOf(result)).toMatch(/^main: idle, python 3\.\d+\.\d+\S* \(runner, pid \d+\) in /);
    expect(textOf(result).endsWith(folder)).toBe(true);
    expect(result.structured).toEqual({ kernels: [{ session: "main", state: "idle" }] });
  });

  test("interrupts the running cell, and variables stay", async () => {
    await using context = await contextIn(folder);
    const kernels = createKernelsTool(context);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "x = 1" }] });
    const running = python.run({ cells: [{ code: forever }] });
    await until("it runs", () => context.runtime.executions.at(-1)?.status === "running");
    expect(textOf(await kernels.run({ action: "interrupt" }))).toBe(
      "The running cell of session main was interrupted.",
    );
    expect((await running).structured).toMatchObject({ status: "cancelled" });
    expect(textOf(await python.run({ cells: [{ code: "x" }] }))).toBe("1");
    expect(textOf(await kernels.run({ action: "interrupt" }))).toBe("Nothing was running in session main.");
  });

  test.each(["restart", "shutdown"])(
    "%s ends running and queued cells, and the next cell gets a fresh kernel",
    async (action) => {
      await using context = await contextIn(folder);
      const kernels = createKernelsTool(context);
      const python = createPythonTool(context);
      await python.run({ cells: [{ code: "x = 1" }] });
      const calls = [python.run({ cells: [{ code: forever }] }), python.run({ cells: [{ code: forever }] })];
      await until("one runs", () => context.runtime.executions.at(-2)?.status === "running");
      const result = await kernels.run({ action });
      expect(textOf(result)).toMatch(/^Python of session main was/);
      expect(result.structured).toEqual({ kernels: [] });
      expect((await Promise.all(calls)).map(({ isError }) => isError)).toEqual([true, true]);
      expect(textOf(await python.run({ cells: [{ code: "'x' in globals()" }] }))).toMatch(/^False/);
    },
  );

  test("a session that is shut down and used again and again leaves nothing behind", async () => {
    const used: string[] = [];
    const gone: string[] = [];
    const onSession = ({ id }: { readonly id: string }): void => void used.push(id);
    const onSessionGone = ({ id }: { readonly id: string }): void => void gone.push(id);
    await using context = await contextIn(folder, { onSession, onSessionGone });
    for (let round = 0; round < 3; round += 1) {
      await createPythonTool(context).run({ cells: [{ code: "1" }] });
      await createKernelsTool(context).run({ action: "shutdown" });
    }
    expect(used).toEqual(["main", "main", "main"]);
    expect(gone).toEqual(["main", "main"]);
  });

  test("the first result after a shutdown says that variables are gone, in that folder only, and once", async () => {
    mkdirSync(join(folder, "elsewhere"));
    await using context = await contextIn(folder);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "q = 1" }] });
    await createKernelsTool(context).run({ action: "shutdown" });
    const note = "The session main was shut down, so this is a fresh kernel: earlier variables are gone.";
    expect(textOf(await python.run({ cells: [{ code: "1" }], cwd: "elsewhere" }))).not.toContain(note);
    const [first, second] = [
      await python.run({ cells: [{ code: "q" }] }),
      await python.run({ cells: [{ code: "q" }] }),
    ];
    expect(textOf(first)).toContain("NameError");
    expect(textOf(first)).toContain(note);
    expect(textOf(second)).not.toContain(note);
  });

  test("does not end a kernel that others use, unless forced; a refusal stops nothing", async () => {
    await using context = await contextIn(folder);
    const kernels = createKernelsTool(context);
    const other = createToolContext({ runtime: context.runtime, owner: "somebody" });
    const running = createPythonTool(other).run({ cells: [{ code: forever }] });
    await until("it runs", () => context.runtime.executions.at(-1)?.status === "running");
    context.sessionFor();
    const refused = await kernels.run({ action: "restart" });
    expect(textOf(refused)).toMatch(/^Error: This session is also used by somebody/);
    expect(context.runtime.executions[0]?.status).toBe("running");
    expect((await kernels.run({ action: "restart", force: true })).isError).toBe(false);
    expect((await running).isError).toBe(true);
    await other.close();
  });

  test("an unknown session lists the known ones", async () => {
    await using context = await contextIn(folder);
    const kernels = createKernelsTool(context);
    expect(textOf(await kernels.run({ action: "restart" }))).toBe(
      `Error: There is no session main in ${folder}. No session was used yet.`,
    );
    context.sessionFor("mine");
    expect(textOf(await kernels.run({ action: "shutdown", session: "yours" }))).toBe(
      `Error: There is no session yours in ${folder}. There are: mine.`,
    );
  });
});

describe("variables", () => {
  test("lists names, types, shapes and values, even while a cell runs, and starts nothing", async () => {
    await using context = await contextIn(folder, { python: { checkpoints: "off" } });
    const variables = createVariablesTool(context);
    expect(textOf(await variables.run({}))).toBe("(no variables: no kernel runs in session main)");
    expect(context.runtime.sessions).toEqual([]);
    const python = createPythonTool(context);
    await python.run({ cells: [{ code: "1" }] });
    expect(textOf(await variables.run({}))).toBe("(no variables)");
    await python.run({ cells: [{ code: "x = [1, 2]\ny = 'z'" }] });
    const caller = new AbortController();
    const running = python.run({ cells: [{ code: "while True: pass" }] }, { signal: caller.signal });
    await until("it runs", () => context.runtime.executions.at(-1)?.status === "running");
    const result = await variables.run({});
    expect(textOf(result)).toBe("x: list len 2 = [1, 2]\ny: str len 1 = 'z'");
    expect(result.structured).toEqual({ total: 2 });
    expect(textOf(await variables.run({ limit: 1 }))).toBe("x: list len 2 = [1, 2]\n… 1 more variable");
    caller.abort();
    await running;
  });
});
