import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { inRepository } from "../../scripts/repository.mjs";
import { openHubToolbox } from "../../src/hub/client/hub-toolbox.ts";
import { deferred } from "../../src/support/deferred.ts";
import { ownVersion } from "../../src/support/files/own-version.ts";
import { debuggerAddress, MemoryMeter } from "../environment/memory-meter.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import type { InspectedHub } from "../hub/inspected-hub.ts";
import type { Call } from "./rounds.ts";

/** A process that Granary runs in, and a way to call its tools. */
export interface Place extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly call: Call;
  /** Collects garbage; the bytes that are in use. */
  collect(): Promise<number>;
}

const inspected = "--inspect=127.0.0.1:0";
const aFolder = (): string => mkdtempSync(join(tmpdir(), "granary-soak-"));

/** A program with Granary as a library. */
export async function embeddedHost(): Promise<Place> {
  const script = inRepository("test/soak/soak-host.mjs");
  const child = spawn(process.execPath, [inspected, script], { cwd: aFolder(), env: baseEnvironment() });
  const meter = await MemoryMeter.at(await debuggerAddress(child.stderr), child.pid as number);
  const answers = new Map<number, (text: string) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, text } = JSON.parse(line) as { readonly id: number; readonly text: string };
    answers.get(id)?.(text);
    answers.delete(id);
  });
  const ended = once(child, "exit");
  let last = 0;
  const call: Call = async (tool, input) => {
    const answer = deferred<string>();
    answers.set(++last, answer.resolve);
    child.stdin.write(`${JSON.stringify({ id: last, tool, input })}\n`);
    const text = await Promise.race([answer.promise, ended]);
    if (typeof text !== "string") throw new Error(`The host ended: ${text}`);
    return text;
  };
  const close = async (): Promise<void> => {
    meter.close();
    child.stdin.end();
    await ended;
  };
  return {
    ...{ name: "embedded host", pid: meter.pid, call },
    collect: () => meter.used(),
    [Symbol.asyncDispose]: close,
  };
}

/** `granary mcp`, with sessions of its own. */
export async function mcpServer(): Promise<Place> {
  const client = new Client({ name: "soak", version: "1" }, { capabilities: {} });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [inspected, inRepository("bin/granary"), "mcp"],
    cwd: aFolder(),
    env: baseEnvironment(),
    stderr: "pipe",
  });
  const address = debuggerAddress(transport.stderr as Readable);
  await client.connect(transport);
  const meter = await MemoryMeter.at(await address, transport.pid as number);
  return {
    ...{ name: "MCP server", pid: meter.pid },
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: input as Record<string, unknown> }, { timeout: 900_000 });
      return (result.content as readonly { readonly text?: string }[]).map(({ text }) => text ?? "").join("\n");
    },
    collect: () => meter.used(),
    [Symbol.asyncDispose]: async () => {
      meter.close();
      await client.close();
    },
  };
}

/** An agent whose sessions are in the hub. */
export async function agentOfHub(hub: InspectedHub): Promise<Place> {
  const env = { ...baseEnvironment(), ...hub.env };
  const wish = {
    key: "kept",
    session: "kept",
    label: "soak",
    client: null,
    cwd: hub.folder,
    env,
    resultBytes: 100_000,
  };
  const toolbox = await openHubToolbox(wish, { home: hub.home, env, version: await ownVersion() });
  return {
    ...{ name: "hub", pid: hub.pid },
    call: async (tool, input) => {
      const result = await toolbox.find(tool)?.run(input);
      return ((result?.content ?? []) as readonly { readonly text?: string }[])
        .map(({ text }) => text ?? "")
        .join("\n");
    },
    collect: async () => (await hub.measure()).megabytes * 1_000_000,
    [Symbol.asyncDispose]: () => toolbox.close(),
  };
}
