import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { StdioServerTransport, serveStdio as serveSdkStdio } from "@modelcontextprotocol/server/stdio";
import { deadlineAfter } from "../../support/deadline.ts";
import type { AgentContext } from "./agent-context.ts";
import { AnsweringTransport } from "./answering-transport.ts";
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
/** The longest wait for answers after the end of standard input: longer than a call waits by default before its cell continues without it. */
const answerMs = 60_000;

/**
 * Serves one client until it closes standard input, and its requests so far are answered, or the signal aborts. The caller closes
 * the agent.
 *
 * @example
 * await serveStdio(agent, { stdin: process.stdin, stdout: process.stdout, version: "1.0.0" });
 */
export async function serveStdio(agent: AgentContext, options: ServeStdioOptions): Promise<void> {
  const { stdin, stdout, version, signal, onError } = options;
  const over = new Promise<"over">((resolve) => {
    stdin.once("error", () => resolve("over"));
    stdout.once("error", () => resolve("over"));
    signal?.addEventListener("abort", () => resolve("over"), { once: true });
    if (signal?.aborted) resolve("over");
  });
  const inputEnds = new Promise<"input ends">((resolve) => {
    for (const event of ["end", "close"]) stdin.once(event, () => resolve("input ends"));
  });
  const messages = new WellFormedLines((line) => void stdout.write(line), longestMessage);
  const lines = stdin.pipe(messages, { end: false });
  const transport = new AnsweringTransport(new StdioServerTransport(lines, stdout, { maxBufferSize: longestMessage }));
  const stopTelling: (() => void)[] = [];
  const handle = serveSdkStdio(
    ({ era }) => {
      const server = createMcpServer(agent, { era, version });
      stopTelling.push(agent.onToolsChanged(() => void server.sendToolListChanged().catch(() => undefined)));
      return server;
    },
    { transport, onerror: (error) => onError?.(error) },
  );
  const end = await Promise.race([over, inputEnds]);
  if (end === "input ends") await Promise.race([over, lastAnswers()]);
  for (const stop of stopTelling) stop();
  await handle.close();
  stdin.unpipe(messages).pause();
  messages.destroy();

  /** As a pipe of requests expects. The last line may have no line break. */
  async function lastAnswers(): Promise<void> {
    await new Promise((resolve) => messages.write("\n", resolve));
    await setImmediate();
    using deadline = deadlineAfter(answerMs);
    await Promise.race([transport.answered(), once(deadline.signal, "abort")]);
  }
}
