import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findArtifact } from "../../../src/output/artifacts/read/find-artifact.ts";
import { createBashTool } from "../../../src/tools/bash.ts";
import type { ToolContext } from "../../../src/tools/context/tool-context.ts";
import { createExecutionsTool } from "../../../src/tools/executions.ts";
import { isRunning } from "../../kernel/processes.ts";
import { until } from "../../kernel/until.ts";
import { environmentIn, temporaryFolder } from "../../runtime/runtimes.ts";
import { contextIn, textOf } from "../contexts.ts";

const folder = temporaryFolder();

const tools = (context: ToolContext) => ({
  bash: createBashTool(context),
  executions: createExecutionsTool(context),
});

const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;
const letGo = (name: string): void => writeFileSync(join(folder, name), "");

describe("a command that takes longer than its call waits", () => {
  test("continues as an execution, which has its output and how it ended", async () => {
    await using context = await contextIn(folder);
    const { bash, executions } = tools(context);
    const result = await bash.run({ command: `echo begun\n${waitFor("go")}\necho end; exit 3`, timeout: 1 });
    expect(textOf(result)).toMatch(
      /^still running: run-1, \d+ s so far\.\n\nbegun\n\nNote: It continues\. executions /,
    );
    expect(result).toMatchObject({
      isError: false,
      structured: { status: "running", id: "run-1" },
      details: { status: "running", output: "begun\n", notices: ["Continues as run-1."] },
    });
    expect(textOf(await executions.run({}))).toBe("run-1 running (main): $ echo begun");
    letGo("go");
    expect(textOf(await executions.run({ action: "wait", id: "run-1" }))).toBe(
      "run-1 is over: error (exit code 3).\n\nbegun\nend",
    );
  });

  test("has all of its output in its artifact, including output after the call", async () => {
    await using context = await contextIn(folder);
    const { bash } = tools(context);
    await bash.run({ command: `seq 20000; ${waitFor("more")}; seq 20001 40000`, timeout: 1 });
    letGo("more");
    const ended = await context.runtime.execution("run-1")?.result;
    const { path } = await findArtifact(context.runtime.artifactRoot, ended?.truncation?.artifact ?? "");
    const expected = Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(readFileSync(path, "utf8")).toBe(expected);
  });

  test("is interrupted with its children by executions, and not by its former caller", async () => {
    await using context = await contextIn(folder);
    const { bash, executions } = tools(context);
    const caller = new AbortController();
    const result = await bash.run({ command: "sleep 1000 & echo $!; wait", timeout: 1 }, { signal: caller.signal });
    const child = Number(/^\d+$/m.exec(textOf(result))?.[0]);
    caller.abort();
    expect(context.runtime.execution("run-1")?.signal.aborted).toBe(false);
    expect(isRunning(child)).toBe(true);
    expect(textOf(await executions.run({ action: "interrupt", id: "run-1" }))).toMatch(/^run-1 is over: cancelled/);
    expect(isRunning(child)).toBe(false);
  });

  test("ends with its toolbox, and so do its children", async () => {
    const context = await contextIn(folder);
    const child = await (async () => {
      await using _closed = context;
      const result = await tools(context).bash.run({ command: "sleep 1000 & echo $!; wait", timeout: 1 });
      const pid = Number(/^\d+$/m.exec(textOf(result))?.[0]);
      expect(isRunning(pid)).toBe(true);
      return pid;
    })();
    expect(isRunning(child)).toBe(false);
    expect((await context.runtime.execution("run-1")?.result)?.status).toBe("cancelled");
  });

  test("ends at the hard limit, with the documented words", async () => {
    await using context = await contextIn(folder, { python: { hardLimitSeconds: 2 } });
    const { bash, executions } = tools(context);
    await bash.run({ command: "echo begun; sleep 1000", timeout: 1 });
    expect(textOf(await executions.run({ action: "wait", id: "run-1" }))).toBe(
      "run-1 is over: timeout.\n\nbegun\nCommand timed out after 2 seconds",
    );
  });

  test("reports its background processes, which end with the toolbox", async () => {
    const context = await contextIn(folder);
    const child = await (async () => {
      await using _closed = context;
      const { bash, executions } = tools(context);
      const command = `sleep 1000 >/dev/null 2>&1 & echo $!; ${waitFor("leave")}`;
      const pid = Number(/^\d+$/m.exec(textOf(await bash.run({ command, timeout: 1 })))?.[0]);
      letGo("leave");
      const text = textOf(await executions.run({ action: "wait", id: "run-1" }));
      expect(text).toContain(`Note: Left running in the background: 1 process (${pid})`);
      return pid;
    })();
    await until("it has ended", () => !isRunning(child));
  });
});

test("a command that cannot be started is an error of its call, and an execution that failed", async () => {
  const env = { ...environmentIn(folder), PATH: "/nowhere", GRANARY_HOME: join(folder, "home-without-bash") };
  await using context = await contextIn(folder, { runtimeOptions: { env } });
  const { bash } = tools(context);
  const result = await bash.run({ command: "echo never" });
  expect(textOf(result)).toMatch(/^Error: bash could not be started/);
  expect((await context.runtime.execution("run-1")?.result)?.status).toBe("failed");
});

test("a command that waits for a slow login profile says so", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, ".bash_profile"), `until [ -e ${join(home, "profile")} ]; do sleep 0.02; done\n`);
  // Without a snapshot of the user's shell, a command reads the login profile.
  writeFileSync(join(home, ".bashrc"), "exit 3\n");
  const env = { ...environmentIn(home), SHELL: "/bin/bash" };
  await using context = await contextIn(home, { runtimeOptions: { env } });
  const result = textOf(await createBashTool(context).run({ command: "echo at last", timeout: 1 }));
  expect(result).toMatch(
    /^still running: run-1, \d+ s so far\. bash is still reading the login profile \(.*\): the command has not begun\.\n/,
  );
  writeFileSync(join(home, "profile"), "");
  expect(textOf(await createExecutionsTool(context).run({ action: "wait" }))).toBe("run-1 is over: ok.\n\nat last");
});
