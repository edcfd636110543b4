import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { inRepository } from "../../scripts/repository.mjs";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { CommandTransport } from "../hosts/mcp/command-transport.ts";
import type { TestHub } from "./test-hub.ts";

interface AgentOptions {
  readonly answers?: () => Promise<string>;
  readonly env?: Readonly<Record<string, string>>;
  /** After `granary mcp`. */
  readonly args?: readonly string[];
}

/** An MCP server that this test process has started, as a client does. */
export async function agentOf(hub: TestHub, options: AgentOptions = {}) {
  const { env = hub.env, args = [] } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [inRepository("bin/granary"), "mcp", ...args],
    cwd: hub.folder,
    env: { ...baseEnvironment(), ...env },
    stderr: "ignore",
  });
  const agent = await agentOver(transport, options);
  return {
    ...agent,
    kill: async () => {
      process.kill(transport.pid as number, "SIGKILL");
      await agent.client.close();
    },
  };
}

/** The same in this process, which takes a tenth of the processor time: for tests that do not depend on how the server ends. */
export function agentHere(hub: Pick<TestHub, "folder" | "env">, options: AgentOptions = {}) {
  const { env = hub.env, args = [] } = options;
  const context = { cwd: hub.folder, env: { ...baseEnvironment(), ...env } };
  return agentOver(new CommandTransport(["mcp", ...args], context), options);
}

async function agentOver(transport: Transport, { answers }: AgentOptions) {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answers === undefined ? {} : { elicitation: {} } },
  );
  if (answers !== undefined) {
    client.setRequestHandler("elicitation/create", async () => ({
      action: "accept",
      content: { answer: await answers() },
    }));
  }
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? "").join("\n");
  };
  return {
    client,
    call,
    python: (code: string) => call("python", { cells: [{ code }] }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
