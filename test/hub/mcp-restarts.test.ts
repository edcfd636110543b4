import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { clientProcess } from "../../src/hosts/mcp/client-process.ts";
import type { SessionFacts } from "../../src/hub/session-facts.ts";
import { deferred } from "../../src/support/deferred.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";
import { agentHere, agentOf } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const server = (options?: Parameters<typeof agentOf>[1]) => agentOf(hub, options);

test("a server that its client restarts finds its variables, artifacts and tools again", async () => {
  const first = await server();
  await first.python("x = 41");
  const long = await first.python("for row in range(20_000): print('row', row, row * 7 % 13)");
  const address = /artifact:\/\/[\w-]+/.exec(long)?.[0];
  await first.python('@tool\ndef double(n: int) -> int:\n    "Doubles"\n    return 2 * n');
  await first.kill();
  await using second = await server();
  expect(await second.python("x + 1")).toBe("42");
  expect(await second.call("read", { path: `${address}:19999-20000` })).toContain("row 19999");
  const { tools } = await second.client.listTools();
  expect(tools.map(({ name }) => name)).toContain("double");
  expect(await second.call("double", { n: 4 })).toContain("8");
});

test("a call that a restart cut off continues once, and is picked up by its id", async () => {
  const first = await server();
  await first.python("count = 0");
  const call = first.python(
    "import time\ncount += 1\nfor step in range(40): time.sleep(0.05)\nprint('through', count)",
  );
  call.catch(() => {});
  const isBusy = async () => (await hub.status())?.sessions.some(({ state }) => state === "busy");
  for (let looks = 0; !(await isBusy()) && looks < 40; looks++);
  await first.kill();
  await using second = await server();
  const news = await second.call("kernels", {});
  const [, id] = /The connection was lost while (run-\d+) \(import time\)/.exec(news) ?? [];
  expect(await second.call("executions", { action: "wait", id })).toContain("through 1");
  // Each sentence comes once.
  expect(await second.python("count")).toBe("1");
});

test("input() of a cell reaches the person at the client", async () => {
  await using asked = await agentHere(hub, { answers: async () => "Ada" });
  expect(await asked.python("print('hello', input('name? '))")).toContain("hello Ada");
});

test("a server that is killed while its cell asks for input: input() fails, and the session continues", async () => {
  const asked = deferred<void>();
  const first = await server({
    answers: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const call = first.python("before = 1\nanswer = input('Name: ')");
  call.catch(() => {});
  await asked.promise;
  await first.kill();
  await using second = await server();
  expect(await second.python("before, 'answer' in globals()")).toContain("(1, False)");
});

test("a command line joins the agent's session by name, and the agent's next result says so", async () => {
  await using agent = await server();
  await agent.python("df = [3, 1, 2]");
  const { stdout } = await hub.granary(["sessions", "--json"]);
  const [session] = JSON.parse(stdout).sessions;
  expect(await hub.run(session.name, "df.sort()")).toBe("");
  const told = await agent.python("df");
  expect(told).toContain("Since your last call, granary run ran 1 cell: df.sort()");
  expect(told).toContain("[1, 2, 3]");
  expect(await agent.python("len(df)")).toBe("3");
});

test("a command line in the agent's session takes no later output of threads from the agent", async () => {
  await using agent = await server();
  const [go, done] = ["go", "done"].map((name) => join(hub.folder, name)) as [string, string];
  await agent.python(`
import os, threading, time
def late():
    while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.02)
    print("late", flush=True)
    open(${JSON.stringify(done)}, "w").close()
threading.Thread(target=late).start()`);
  const { stdout } = await hub.granary(["sessions", "--json"]);
  const { name } = JSON.parse(stdout).sessions.find(({ clients }: SessionFacts) =>
    clients.includes(clientProcess(process.pid).name),
  );
  await hub.run(name, "1");
  await writeFile(go, "");
  await until("the thread has printed", () => existsSync(done));
  expect(await agent.python("2")).toContain("late");
});

test("a new client learns in its first result which sessions of its folder are alive", async () => {
  await hub.run("etl", "rows = 12");
  const calls = `
print(call(2, cells=[{"code": "1"}]))
print("joined", call(3, session="etl", cells=[{"code": "rows"}]))`;
  const fresh = await hub.granary(["run", "-c", freshClient(calls)], { stdin: "" });
  expect(fresh.stderr).toBe("");
  expect(fresh.stdout).toContain("Sessions of this folder that are still alive");
  expect(fresh.stdout).toMatch(/etl \(used \d+ s ago, last cell: rows = 12\)/);
  expect(fresh.stdout).toContain("joined 12");
});

/** A client of its own, in Python: another process, and so another key. */
const freshClient = (calls: string): string => `
import json, os, subprocess
env = {**os.environ, **json.loads(${JSON.stringify(JSON.stringify({ ...baseEnvironment(), ...hub.env }))})}
server = subprocess.Popen(${JSON.stringify([process.execPath, inRepository("bin/granary"), "mcp"])}, stdin=subprocess.PIPE,
    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, text=True)
def send(**message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); server.stdin.flush()
def call(id, **arguments):
    send(id=id, method="tools/call", params={"name": "python", "arguments": arguments})
    while True:
        reply = json.loads(server.stdout.readline())
        if reply.get("id") == id: return "\\n".join(part.get("text", "") for part in reply["result"]["content"])
send(id=1, method="initialize", params={"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "fresh", "version": "1"}})
server.stdout.readline()
send(method="notifications/initialized")
${calls}
server.stdin.close(); server.wait()
`;

test("a new client that joins a session with its first call learns only of the others", async () => {
  await hub.run("etl", "rows = 12");
  await hub.run("other", "2");
  const calls = 'print(call(2, session="etl", cells=[{"code": "rows"}]))';
  const { stdout } = await hub.granary(["run", "-c", freshClient(calls)], { stdin: "" });
  expect(stdout).toMatch(/^12\n/);
  expect(stdout).toMatch(/other \(used \d+ s ago, last cell: 2\)/);
  expect(stdout).not.toContain("etl (");
});

test("when the hub is killed, the call says so, and the next one has a fresh Python", async () => {
  await using agent = await agentHere(hub);
  await agent.python("x = 1");
  const call = agent.python("import time; time.sleep(60)");
  const isBusy = async () => (await hub.status())?.sessions.some(({ state }) => state === "busy");
  for (let looks = 0; !(await isBusy()) && looks < 40; looks++);
  process.kill(hub.record.pid, "SIGKILL");
  expect(await call).toMatch(/Error: The hub has ended.*Variables are gone/);
  expect(await agent.python("'x' in globals()")).toBe("False");
});

test("with GRANARY_HUB=never the sessions are in the server, and no hub is started", async () => {
  await using alone = new TestHub({ GRANARY_HUB: "never" });
  await using agent = await agentHere(hub, { env: alone.env });
  expect(await agent.python("6 * 7")).toBe("42");
  expect(await alone.status()).toBeNull();
});

test("a hub that ends between two calls: the next result of each session reports it, once", async () => {
  await using hub = new TestHub();
  await using agent = await agentHere(hub);
  await agent.python("x = 1");
  process.kill(hub.record.pid, "SIGKILL");
  const { pid } = hub.record;
  await until("it has ended", () => !isRunning(pid));
  // The server may or may not have noticed it before this call.
  expect(await agent.python("'x' in globals()")).toMatch(/The hub (that had it )?has ended[\s\S]*variables are gone/i);
  await agent.python("x = 3");
  expect(await agent.python("x")).toBe("3");
});
