import { afterAll, describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/hosts/mcp/open-workspace.ts";
import { createRuntime, executePython, runCells, runNotebook, runNotebooks, startKernel } from "../../src/index.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();
const runtime = await runtimeIn(folder);
afterAll(() => runtime.close());
const session = runtime.session();

/** As a program without types would call it. */
const anything = (value: unknown) => value as never;

describe("an argument that cannot be meant is refused at once, with a code and a sentence", () => {
  const limits = [Number.NaN, -5, "x", "5", null, {}];
  test.each(limits)("timeoutMs: %j", async (given) => {
    const timeoutMs = anything(given);
    const calls = [
      async () => session.run("1", { timeoutMs }),
      () => executePython("1", { runtime, timeoutMs }),
      () => runCells(session, [{ code: "1" }], { timeoutMs }),
      () => runNotebook(session, "a.ipynb", { timeoutMs }),
      () => runNotebooks(["a.ipynb"], { runtime, timeoutMs }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: "invalid-argument",
        message: expect.stringContaining("timeoutMs takes a number of milliseconds from 0 on"),
        details: { argument: "timeoutMs" },
      });
    }
  });

  test.each([
    ["cells", () => runCells(session, anything("x"))],
    ["cells", () => runCells(session, anything(undefined))],
    ["paths", () => runNotebooks(anything("a.ipynb"))],
    ["path", () => runNotebook(session, anything(7))],
    ["path", () => runNotebook(session, anything(undefined))],
    ["cwd", () => createRuntime({ cwd: anything(7) })],
    ["cwd", () => startKernel({ cwd: anything(7) })],
    ["cwd", async () => runtime.session("main", { cwd: anything(["a"]) })],
    ["the session's id", async () => runtime.session(anything(7))],
  ])("%s", async (argument, call) => {
    await expect(call()).rejects.toMatchObject({
      name: "GranaryError",
      code: "invalid-argument",
      details: { argument },
    });
  });

  test.each([
    ["createRuntime", (option: object) => createRuntime(option)],
    ["startKernel", (option: object) => startKernel(option)],
  ])("%s: a setting in the wrong place, which would mean no sandbox, and the right place", async (call, use) => {
    for (const [option, place] of [
      [{ sandbox: "strict" }, "settings: { python: { sandbox: … } }."],
      [{ python: { sandbox: "strict" } }, "settings: { python: { … } }."],
      [{ "python.sandbox": "strict" }, "settings: { python: { sandbox: … } }."],
      [{ sandboxNetwork: "off" }, "settings: { python: { sandboxNetwork: … } }."],
    ] as const) {
      const [argument] = Object.keys(option);
      await expect(use(option)).rejects.toMatchObject({
        code: "invalid-argument",
        message: `${call} has no option ${argument}. Settings have their own: ${place}`,
        details: { argument },
      });
    }
    await expect(use({ setings: {} })).rejects.toThrow(`${call} has no option setings. Did you mean settings?`);
    await expect(use({ colour: "red" })).rejects.toThrow("docs/api.md");
  });

  test("a setting for a call that takes none: it belongs to a runtime", async () => {
    const inRuntime = "runtime: await createRuntime({ settings: { python: { sandbox: … } } }).";
    await expect(executePython("1", anything({ sandbox: "strict" }))).rejects.toThrow(inRuntime);
    await expect(runNotebooks([], anything({ sandbox: "strict" }))).rejects.toThrow(inRuntime);
    await expect(createToolbox(anything({ runtime, sandbox: "strict" }))).rejects.toThrow(inRuntime);
    const inFile = "openWorkspace has no option sandboxNetwork. Set it in a settings file";
    await expect(openWorkspace(anything({ cwd: folder, env: {}, sandboxNetwork: "off" }))).rejects.toThrow(inFile);
    await expect(executePython("1", anything({ settings: {} }))).rejects.toThrow("createRuntime({ settings: { … } })");
  });

  test("undefined is the same as left out, also for an unknown option", async () => {
    await (await createRuntime(anything({ cwd: folder, sandbox: undefined }))).close();
  });

  test("code that is no text", async () => {
    await expect(executePython(anything(7))).rejects.toMatchObject({ code: "not-a-cell" });
    await expect(runCells(session, [anything(null)])).rejects.toMatchObject({ code: "not-a-cell" });
  });
});
