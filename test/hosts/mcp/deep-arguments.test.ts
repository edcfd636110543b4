import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { baseEnvironment } from "../cli/granary.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-deep-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** `granary mcp`, driven with raw text: the SDK's client could not write such messages. */
class RawServer implements AsyncDisposable {
  readonly #process = spawn(process.execPath, [inRepository("bin/granary"), "mcp"], {
    cwd,
    env: baseEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  readonly #lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  #last = 0;

  async request(method: string, params: string): Promise<{ result?: Record<string, unknown>; error?: unknown }> {
    const id = ++this.#last;
    this.#process.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("The server has ended.");
      const message = JSON.parse(value);
      if (message.id === id) return message;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin.end();
    await new Promise((resolve) => this.#process.once("exit", resolve));
  }
}

test("a call with arguments of any depth is answered, and so is the next one", async () => {
  await using server = new RawServer();
  const clientInfo = { name: "raw", version: "1" };
  await server.request("initialize", JSON.stringify({ protocolVersion: "2025-06-18", capabilities: {}, clientInfo }));
  for (const depth of [3_000, 5_000, 100_000]) {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    for (const args of [`{"cells":${deep}}`, `{"cells":[{"code":"1","title":${deep}}]}`, `{"cells":[],"x":${deep}}`]) {
      const { result } = await server.request("tools/call", `{"name":"python","arguments":${args}}`);
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("levels deep") }] });
    }
    const { error } = await server.request("tools/call", `{"name":"python","arguments":${deep}}`);
    expect(error).toBeDefined();
    const code = `display({'application/json': '['*${depth}+']'*${depth}}, raw=True)\n6 * 7`;
    const { result } = await server.request(
      "tools/call",
      JSON.stringify({ name: "python", arguments: { cells: [{ code }] } }),
    );
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/nested too deeply[\s\S]*42/) }, {}] });
  }
});
