import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentContext } from "./agent-context.ts";
import { createMcpServer } from "./mcp-server.ts";
import { WellFormedLines } from "./well-formed-lines.ts";

export interface ServeStdioOptions {
  readonly stdin: Readable;
  /** The only writer of standard output: see `guardStdout`. */
  readonly stdout: Writable;
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** Gets errors that have no place in the protocol. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** One message may hold a picture of a few megabytes, or a file to write. */
const longestMessage = 32_000_000;

/**
 * Serves one client until it closes standard input or the signal aborts. The caller closes the agent.
 *
 * @example
 * await serveStdio(agent, { stdin: process.stdin, stdout: process.stdout, version: "1.0.0" });
 */
export async function serveStdio(agent: AgentContext, options: ServeStdioOptions): Promise<void> {
  const { stdin, stdout, version, signal, onError } = options;
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
    signal?.addEventListener("abort", () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  const messages = new WellFormedLines((line) => void stdout.write(line), longestMessage);
  const transport = new StdioServerTransport(stdin.pipe(messages), stdout, { maxBufferSize: longestMessage });
  const stopTelling: (() => void)[] = [];
  const handle = serveSdkStdio(
    ({ era }) => {
      const server = createMcpServer(agent, { era, version });
      stopTelling.push(agent.onToolsChanged(() => void server.sendToolListChanged().catch(() => undefined)));
      return server;
    },
    { transport, onerror: (error) => onError?.(error) },
  );
  await ended;
  for (const stop of stopTelling) stop();
  await handle.close();
  stdin.unpipe(messages).pause();
  messages.destroy();
}
