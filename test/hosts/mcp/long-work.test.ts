import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { isLong } from "../../environment/variants.ts";
import { isRunning } from "../../kernel/processes.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { wires } from "./connect.ts";
import { clientOf, HttpGranary } from "./granary-mcp.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-long-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

/** Each transport and each revision once; `protocol.test.ts` has all four. */
const someWires = isLong ? wires : wires.slice(1, 3);

describe.each(someWires)("work that takes long, over $over, revision $revision", (wire) => {
  const flag = `${wire.over}-${wire.revision}`;

  test("sends its progress bar, outlives its call, and can be waited for", async () => {
    await using started = await clientOf({ cwd }, wire);
    const { client } = started;
    const code = py`
      import os, time
      print("at work", flush=True)
      with progress(100, "train") as bar:
          time.sleep(0.2)
          bar.advance(40)
          while not os.path.exists("${flag}"): time.sleep(0.005); bar.advance(0)
    `;
    const notes: { readonly message?: string | undefined; readonly total?: number | undefined }[] = [];
    const call = (name: string, args: object) =>
      client.callTool({ name, arguments: { ...args } }, { onprogress: (note) => void notes.push(note) });
    const early = (await call("python", { cells: [{ code }], timeout: 3 })) as CallToolResult;
    expect(textOf(early)).toMatch(/^still running: run-1, \d+ s so far\.\n\nat work\n/);
    const told = notes.find(({ message }) => message?.includes("40 of 100"));
    expect(told?.message).toMatch(/^train: 40 of 100, \d.*(?:\/s|each), \d+ s left\nat work$/);
    expect(told?.total).toBeGreaterThan(0);
    const busy = (await call("python", { cells: [{ code: "1" }] })) as CallToolResult;
    expect(textOf(busy)).toMatch(/^Error: Session \S+ is busy: run-1 /);
    const look = (await call("executions", { action: "look" })) as CallToolResult;
    expect(textOf(look)).toMatch(/\nprogress: train: 40 of 100/);
    writeFileSync(join(cwd, flag), "");
    const over = (await call("executions", { action: "wait", id: "run-1" })) as CallToolResult;
    expect(textOf(over)).toBe("run-1 is over: ok.\n\nat work");
  });
});

test("a command that has outlived its call ends with the server, and so do its children", async () => {
  const wire = wires.find(({ over }) => over === "stdio");
  if (wire === undefined) return expect.unreachable();
  let child = 0;
  {
    await using started = await clientOf({ cwd }, wire);
    const result = (await started.client.callTool({
      name: "bash",
      arguments: { command: "sleep 1000 & echo $!; wait", timeout: 1 },
    })) as CallToolResult;
    child = Number(/^\d+$/m.exec(textOf(result))?.[0]);
    expect(isRunning(child)).toBe(true);
  }
  await until("it has ended", () => !isRunning(child));
});

test("a command also ends when the server is killed", async () => {
  const wire = wires.find(({ over }) => over === "http");
  if (wire === undefined) return expect.unreachable();
  await using server = await HttpGranary.start({ cwd });
  const client = await server.connect(wire);
  const result = (await client.callTool({
    name: "bash",
    arguments: { command: "sleep 1000 & echo $!; wait", timeout: 1 },
  })) as CallToolResult;
  const child = Number(/^\d+$/m.exec(textOf(result))?.[0]);
  expect(isRunning(child)).toBe(true);
  server.process.kill("SIGKILL");
  await until("it has ended", () => !isRunning(child));
  await client.close().catch(() => undefined);
});

test("a user can neither read, interrupt nor look at the work of another user", async () => {
  const tokens = ["first-token-long-enough", "second-token-long-enough"] as const;
  await using server = await HttpGranary.start({ cwd, args: tokens.flatMap((token) => ["--token", token]) });
  const [ada, bob] = await Promise.all(
    tokens.map((token) => server.connect({ revision: "2026-07-28" }, {}, {}, token)),
  );
  const call = async (client: typeof ada, name: string, args: Record<string, unknown>) =>
    textOf((await client?.callTool({ name, arguments: args })) as CallToolResult);
  const code = "print('secret', flush=True)\nimport time\nwhile True: time.sleep(0.01)";
  expect(await call(ada, "python", { cells: [{ code }], timeout: 1 })).toMatch(/^still running: run-1, /);
  for (const action of ["poll", "wait", "look", "interrupt"]) {
    expect(await call(bob, "executions", { action, id: "run-1" })).toBe("Error: There is no run-1. There are none.");
  }
  expect(await call(bob, "executions", {})).toBe("(nothing was run yet)");
  expect(await call(ada, "executions", { id: "run-1" })).toMatch(/^run-1 is running, .*\n\nsecret$/s);
  await Promise.all([ada?.close(), bob?.close()]);
});
