import { PassThrough } from "node:stream";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { AgentContext } from "../../../src/hosts/mcp/agent-context.ts";
import { type HttpServer, serveHttp } from "../../../src/hosts/mcp/http/serve-http.ts";
import { serveStdio } from "../../../src/hosts/mcp/serve-stdio.ts";

export const revisions = { "2025-11-25": "legacy", "2026-07-28": { pin: "2026-07-28" } } as const;

export interface Wire {
  readonly over: "stdio" | "http";
  readonly revision: keyof typeof revisions;
}

/** Every transport and revision that a client may use. */
export const wires: readonly Wire[] = [
  { over: "stdio", revision: "2025-11-25" },
  { over: "stdio", revision: "2026-07-28" },
  { over: "http", revision: "2025-11-25" },
  { over: "http", revision: "2026-07-28" },
];

export interface Connection extends AsyncDisposable {
  readonly client: Client;
}

/** A client of the SDK, connected to an agent context in this process. */
export async function connect(
  agent: AgentContext,
  { over, revision }: Wire,
  options: ClientOptions = {},
): Promise<Connection> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: revisions[revision] }, ...options },
  );
  if (over === "stdio") {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const served = serveStdio(agent, { stdin: toServer, stdout: toClient, version: "1" });
    // Both ends of such a connection work the same: a message is a line.
    await client.connect(new StdioServerTransport(toClient, toServer));
    const close = async (): Promise<void> => {
      await client.close();
      toServer.end();
      await served;
    };
    return { client, [Symbol.asyncDispose]: close };
  }
  const server = await httpServer(agent);
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  const close = async (): Promise<void> => {
    await client.close();
    await server.close();
  };
  return { client, [Symbol.asyncDispose]: close };
}

function httpServer(agent: AgentContext): Promise<HttpServer> {
  return serveHttp({
    address: { host: "127.0.0.1", port: 0 },
    tokens: null,
    version: "1",
    openWorkspace: async () => ({ openAgent: async () => agent, close: async () => undefined }),
  });
}
