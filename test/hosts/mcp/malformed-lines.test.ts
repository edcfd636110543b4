import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { WellFormedLines } from "../../../src/hosts/mcp/well-formed-lines.ts";
import { unicodeText } from "../../unicode-text.ts";
import { baseEnvironment } from "../cli/granary.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-lines-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const clientInfo = { name: "raw", version: "1" };
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
};

test("every line that is no message gets an error of JSON-RPC, and the next message its answer", async () => {
  const server = spawn(process.execPath, [inRepository("bin/granary"), "mcp"], { cwd, env: baseEnvironment() });
  let [stdout, stderr] = ["", ""];
  server.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    if (stdout.includes('"id":2')) server.stdin.end();
  });
  server.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const lines = [
    "hello",
    '{"jsonrpc":"2.0"',
    "",
    "[]",
    "7",
    "null",
    '{"jsonrpc":"2.0","id":"a"}',
    '{"jsonrpc":"1.0","id":4,"method":"ping"}',
    '{"id":{},"jsonrpc":"2.0","method":5}',
    JSON.stringify(initialize),
    '{"jsonrpc":"2.0","id":2,"method":"ping"}',
  ];
  server.stdin.write(`${lines.join("\n")}\n`);
  await new Promise((resolve) => server.once("exit", resolve));
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.filter(({ error }) => error !== undefined).map(({ id, error }) => [id, error.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    ["a", -32600],
    [4, -32600],
    [null, -32600],
  ]);
  expect(answers.filter(({ result }) => result !== undefined).map(({ id }) => id)).toEqual([1, 2]);
  expect(stderr).toBe("");
});

test("messages arrive as they were sent, wherever the chunks are cut", async () => {
  const message = fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.nat(),
    method: unicodeText({ minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message), fc.array(fc.nat(60)), async (messages, cuts) => {
      const sent = Buffer.from(messages.map((each) => `${JSON.stringify(each)}\n`).join(""));
      const stream = new PassThrough();
      const answers: string[] = [];
      const filter = stream.pipe(new WellFormedLines((line) => answers.push(line), 1000));
      const got: Buffer[] = [];
      filter.on("data", (chunk) => got.push(chunk));
      let start = 0;
      for (const cut of cuts) {
        stream.write(sent.subarray(start, start + cut));
        start += cut;
      }
      stream.end(sent.subarray(start));
      await new Promise((resolve) => filter.once("end", resolve));
      expect([Buffer.concat(got).toString(), answers]).toEqual([sent.toString(), []]);
    }),
    { numRuns: 50 },
  );
});
