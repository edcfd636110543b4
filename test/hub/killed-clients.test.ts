import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { HistoryCell } from "../../src/hub/history/history-cell.ts";
import { encodeHubFrame } from "../../src/hub/wire/frames.ts";
import { baseEnvironment, type RunningGranary } from "../hosts/cli/granary.ts";
import { FreshTerminal, granaryCommand } from "../hosts/tui/fresh-terminal.ts";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const at = (name: string): string => join(hub.folder, name);
/** Counts how often a cell ran. */
const counted = (name: string): string => `with open(${JSON.stringify(at(name))}, "a") as file: file.write("x")\n`;
const timesRun = (name: string): number => readFileSync(at(name), "utf8").length;
/** Python that waits until the test lets it go. */
const waitFor = (name: string): string =>
  `import os, time\nwhile not os.path.exists(${JSON.stringify(at(name))}): time.sleep(0.02)\n`;
const letGo = (name: string): void => writeFileSync(at(name), "");

async function historyOf(session: string): Promise<readonly HistoryCell[]> {
  const { stdout } = await hub.granary(["sessions", "show", session, "--json"]);
  return JSON.parse(stdout).history;
}

async function hasWork(session: string, cells: number): Promise<boolean> {
  return (await hub.status())?.sessions.find(({ name }) => name === session)?.work.length === cells;
}

async function killed(client: RunningGranary): Promise<void> {
  client.process.kill("SIGKILL");
  await client.finished;
}

const lines = 2000;
const flood = `for n in range(${lines}): print(n, 'x' * 9999)\n`;

/** All of a cell's output, which is too long for the history itself. */
async function wholeOutput({ outputs }: HistoryCell): Promise<readonly string[]> {
  const address = /artifact:\/\/[\w-]+/.exec(JSON.stringify(outputs))?.[0] ?? "";
  const { stdout, stderr } = await hub.granary(["artifact", address]);
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

function expectTheFlood(rows: readonly string[]): void {
  expect(rows).toHaveLength(lines);
  expect(rows.every((row, n) => row === `${n} ${"x".repeat(9999)}`)).toBe(true);
}

test("killed while its cell runs: the cell continues, once, and its output is complete", async () => {
  const code = `${counted("ran")}print("begun", flush=True)\n${waitFor("run-on")}for n in range(20): print("step", n)`;
  const client = hub.start(["run", "--session", "running", "-c", code]);
  await client.untilOutput("begun");
  await killed(client);
  letGo("run-on");
  expect(await hub.run("running", "n")).toBe("19");
  const [cell] = await historyOf("running");
  const printed = ["begun", ...Array.from({ length: 20 }, (_, n) => `step ${n}`), ""].join("\n");
  expect(cell).toMatchObject({ status: "ok", outputs: [{ text: printed }] });
  expect(timesRun("ran")).toBe(1);
});

test("killed while its cells wait in the queue: each runs when its turn comes, once, with its output", async () => {
  const busy = hub.start(["run", "--session", "queue", "-c", `print('on', flush=True)\n${waitFor("queue-on")}`]);
  await busy.untilOutput("on");
  const cells = ["-c", `${counted("queued")}print("second")`, "-c", `${counted("queued")}print("third")`];
  const waiting = hub.start(["run", "--session", "queue", ...cells]);
  await until("it waits", () => hasWork("queue", 2));
  await killed(waiting);
  letGo("queue-on");
  await busy.finished;
  await until("both cells are over", async () => (await historyOf("queue")).length === 3);
  const [, second, third] = await historyOf("queue");
  expect(second).toMatchObject({ status: "ok", outputs: [{ text: "second\n" }] });
  expect(third).toMatchObject({ status: "ok", outputs: [{ text: "third\n" }] });
  expect(timesRun("queued")).toBe(2);
});

test("killed while it reads output: the cell continues, once, and not a line is lost", async () => {
  const client = hub.start(["run", "--session", "reading", "-c", `${counted("read")}${flood}`]);
  client.process.stdout?.on("data", () => client.process.kill("SIGKILL"));
  await client.finished;
  expect(client.stdout.length).toBeLessThan(lines * 9999);
  expect(await hub.run("reading", "n")).toBe(String(lines - 1));
  const [cell] = await historyOf("reading");
  expectTheFlood(await wholeOutput(cell as HistoryCell));
  expect(timesRun("read")).toBe(1);
});

test("a reader that does not read delays its own cell, and no other session; killed, it frees the cell, whose output is complete", async () => {
  await hub.run("other", "x = 1");
  const { record } = hub;
  const stuck = connect(record.socket);
  const hello = { token: record.token, version: record.version, name: "stuck", pid: process.pid };
  stuck.write(encodeHubFrame({ ask: 1, method: "hello", params: hello }));
  const args = {
    source: { type: "code", cells: [`${counted("stuck")}${flood}`] },
    ...{ timeoutMs: null, json: false, session: "flood", background: false, reset: false, extraEnv: {} },
  };
  const wish = { args, cwd: hub.folder, env: { ...baseEnvironment(), ...hub.env }, terminals: [], answers: false };
  stuck.write(encodeHubFrame({ ask: 2, method: "run", params: wish }));
  stuck.pause();
  await until("its cell runs", () => existsSync(at("stuck")));
  for (let cell = 0; cell < 10; cell++) expect(await hub.run("other", "x + 1")).toBe("2");
  expect(await hasWork("flood", 1)).toBe(true);
  stuck.destroy();
  expect(await hub.run("flood", "n")).toBe(String(lines - 1));
  const [cell] = await historyOf("flood");
  expectTheFlood(await wholeOutput(cell as HistoryCell));
  expect(timesRun("stuck")).toBe(1);
});

test("a stopped client (Ctrl-Z) gets every line when it continues", async () => {
  const client = hub.start(["run", "--session", "stopped", "-c", `${counted("stops")}${flood}`]);
  await client.untilOutput("0 x");
  client.process.kill("SIGSTOP");
  expect(await hub.run("beside", "1 + 1")).toBe("2");
  client.process.kill("SIGCONT");
  const { stdout, exitCode } = await client.finished;
  expect(exitCode).toBe(0);
  expectTheFlood(stdout.trimEnd().split("\n"));
  expect(timesRun("stops")).toBe(1);
});

test("killed while its cell asks for input: input() is interrupted, and the session continues with its variables", async () => {
  const code = `${counted("asks")}before = 1\nname = input("name? ")`;
  const command = [...granaryCommand, "run", "--session", "asks", "--cwd", hub.folder, "-c", code];
  const terminal = new FreshTerminal(command, { env: hub.env });
  await terminal.shows("name?");
  const asking = (await hub.status())?.clients.find(({ name }) => name === "granary run");
  process.kill(asking?.pid as number, "SIGKILL");
  expect(await hub.run("asks", "before, 'name' in globals()")).toBe("(1, False)");
  const [cell] = await historyOf("asks");
  expect(cell).toMatchObject({ status: "cancelled", outputs: [{ ename: "KeyboardInterrupt" }] });
  expect(timesRun("asks")).toBe(1);
});

test("killed after --background: the cells run, once, and wait has their output", async () => {
  const { stdout } = await hub.granary([
    ...["run", "--session", "bg", "--background", "-c", `${counted("bg")}${waitFor("bg-on")}print("done")`],
  ]);
  const waiting = hub.start(["wait", stdout.trim()]);
  await until("it waits", async () => (await hub.status())?.clients.some(({ name }) => name === "granary") ?? false);
  await killed(waiting);
  letGo("bg-on");
  const waits = await Promise.all([1, 2, 3].map(() => hub.granary(["wait", stdout.trim()])));
  expect(waits).toEqual(Array(3).fill({ exitCode: 0, stdout: "done\n", stderr: "" }));
  expect(timesRun("bg")).toBe(1);
});

test("a client whose hub was stopped ends with the first signal, and says that the hub does not answer", async () => {
  const code = `print("begun", flush=True)\n${waitFor("go")}`;
  const client = hub.start(["run", "--session", "stopped", "-c", code]);
  await client.untilOutput("begun");
  const { pid } = hub.record;
  process.kill(pid, "SIGSTOP");
  try {
    client.process.kill("SIGTERM");
    const { stderr, exitCode } = await client.finished;
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining("granary: The hub does not answer, so the cell may still be running."),
      exitCode: 143,
    });
  } finally {
    process.kill(pid, "SIGCONT");
    letGo("go");
  }
});
