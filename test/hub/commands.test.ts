import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openHubToolbox } from "../../src/hub/client/hub-toolbox.ts";
import { ownVersion } from "../../src/support/files/own-version.ts";
import type { ToolResult } from "../../src/tools/definition/tool.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";
import { textOf } from "../tools/contexts.ts";
import { agentOf } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;
const letGo = (name: string): void => writeFileSync(join(hub.folder, name), "");

/** An agent whose client is this connection: both end at once. */
async function agentThatLeaves(name: string) {
  const env = { ...baseEnvironment(), ...hub.env };
  const wish = { key: name, session: name, label: name, client: null, cwd: hub.folder, env, resultBytes: null };
  const toolbox = await openHubToolbox(wish, { home: hub.home, env, version: await ownVersion() });
  const bash = async (command: string): Promise<ToolResult> =>
    (await toolbox.find("bash")?.run({ command, timeout: 1 })) as ToolResult;
  const python = (code: string) => toolbox.find("python")?.run({ cells: [{ code }] });
  return { bash, python, leave: () => toolbox.close() };
}

/** When this agent has ended, so has every earlier one that could. */
async function untilAgentsHaveEnded(): Promise<void> {
  const last = await agentThatLeaves("last");
  await last.python("1");
  await last.leave();
  await until("the agent has ended", async () => {
    const session = (await hub.status())?.sessions.find(({ name }) => name === "last");
    return session?.clients.length === 0;
  });
}

test("a server that its client restarts finds a command that continued without its call", async () => {
  const first = await agentOf(hub);
  const early = await first.call("bash", { command: `echo begun; ${waitFor("restart")}; echo end`, timeout: 1 });
  const id = /still running: (run-\d+)/.exec(early)?.[1];
  await first.kill();
  await using second = await agentOf(hub);
  expect(await second.call("executions", {})).toContain(`${id} running`);
  letGo("restart");
  expect(await second.call("executions", { action: "wait", id })).toBe(`${id} is over: ok.\n\nbegun\nend`);
});

test("a command that a restart cut off continues once, and the next result names it", async () => {
  const first = await agentOf(hub);
  const call = first.call("bash", { command: `echo ran >> ran; ${waitFor("cut")}; cat ran` });
  call.catch(() => {});
  await until("it runs", async () => (await hub.status())?.work.length === 1);
  await first.kill();
  await using second = await agentOf(hub);
  const news = await second.call("executions", {});
  const id = /The connection was lost while (run-\d+) \(echo ran/.exec(news)?.[1];
  letGo("cut");
  expect(await second.call("executions", { action: "wait", id })).toBe(`${id} is over: ok.\n\nran`);
});

test("a command outlives its client; people see it, wait for it, and the hub does not stop under it", async () => {
  const agent = await agentThatLeaves("builder");
  const { structured } = await agent.bash(`echo begun; ${waitFor("build")}; echo end; exit 3`);
  const id = String(structured.id);
  await agent.leave();
  await untilAgentsHaveEnded();
  const { stdout } = await hub.granary(["sessions"]);
  expect(stdout).toMatch(new RegExp(`Also running.*\n${id} for \\d+ s: \\$ echo begun.* \\(builder, builder\\)\n`));
  expect(await hub.granary(["hub", "stop"])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(`Still running: ${id} ($ echo begun`),
  });
  letGo("build");
  expect(await hub.granary(["wait", id])).toMatchObject({ exitCode: 1, stdout: "begun\nend\n" });
  expect((await hub.status())?.work).toEqual([]);
});

test("a person interrupts a command by its id, with the processes that it started", async () => {
  const agent = await agentThatLeaves("sleeper");
  const result = await agent.bash("sleep 1000 & echo $!; wait");
  const child = Number(/^\d+$/m.exec(textOf(result))?.[0]);
  await agent.leave();
  await untilAgentsHaveEnded();
  expect(isRunning(child)).toBe(true);
  const { id } = result.structured;
  expect((await hub.granary(["sessions", "interrupt", String(id)])).stdout).toBe(`Interrupted ${id}.\n`);
  expect(isRunning(child)).toBe(false);
});

test("a process that a command left running ends with its client; a hub that is stopped by force ends all", async () => {
  const agent = await agentThatLeaves("server");
  const left = Number(textOf(await agent.bash("sleep 1000 & echo $!")).match(/^\d+$/m)?.[0]);
  expect(isRunning(left)).toBe(true);
  await agent.leave();
  await until("it has ended", () => !isRunning(left));
  await using other = new TestHub();
  await other.run("etl", "1");
  const env = { ...baseEnvironment(), ...other.env };
  const wish = { key: "a", session: "a", label: "a", client: null, cwd: other.folder, env, resultBytes: null };
  const toolbox = await openHubToolbox(wish, { home: other.home, env, version: await ownVersion() });
  const result = await toolbox.find("bash")?.run({ command: "sleep 1000 & echo $!; wait", timeout: 1 });
  const child = Number(/^\d+$/m.exec(textOf(result as ToolResult))?.[0]);
  expect((await other.granary(["hub", "stop", "--force"])).exitCode).toBe(0);
  await until("its child has ended", () => !isRunning(child));
});
