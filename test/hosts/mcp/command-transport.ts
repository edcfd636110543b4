import { PassThrough } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { commandHere } from "../cli/command-here.ts";

/** Runs a command that serves MCP on its standard input and output in this process, and talks to it. */
export class CommandTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #run: () => Promise<unknown>;
  #ended: Promise<unknown> = Promise.resolve();
  #line = "";

  constructor(args: readonly string[], { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> }) {
    this.#run = () => commandHere(args, { cwd, env, stdin: this.#stdin, stdout: this.#stdout });
  }

  async start(): Promise<void> {
    this.#stdout.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#ended = this.#run().then(
      () => this.onclose?.(),
      (error) => this.onerror?.(error),
    );
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#stdin.end();
    await this.#ended;
  }

  #take(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.onmessage?.(JSON.parse(line));
  }
}
