import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/**
 * Starts an MCP server on standard input and output, as agents do.
 * @param {{ command: string, args: string[], cwd: string, env: Record<string, string> }} server
 */
export async function connect(server) {
  const client = new Client({ name: "granary-bench", version: "1" });
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  return client;
}
