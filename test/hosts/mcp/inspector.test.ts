import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { nodeEnvironment, nodeFrom } from "../../environment/nodes.ts";
import { firstFew } from "../../environment/variants.ts";
import { baseEnvironment } from "../cli/granary.ts";
import { HttpGranary } from "./granary-mcp.ts";

const environment = nodeEnvironment("mcp");
const node = "folder" in environment ? nodeFrom(22, environment.folder) : null;
const missing =
  "missing" in environment ? environment.missing : node === null ? "it needs Node 22, and there is none" : null;

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-inspector-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** For each tool a call that succeeds, and a part of its text. */
const calls: Readonly<Record<string, { readonly args: Readonly<Record<string, string>>; readonly says: string }>> = {
  python: { args: { cells: '[{"code":"6 * 7"}]' }, says: "42" },
  bash: { args: { command: "echo hello" }, says: "hello" },
  read: { args: { path: "notes.txt" }, says: "a line" },
  edit: { args: { path: "notes.txt", edits: '[{"old":"a line","new":"another line"}]' }, says: "" },
  write: { args: { path: "new.txt", content: "written" }, says: "new.txt" },
  notebook: { args: { action: "new", path: "book.ipynb" }, says: "book.ipynb" },
  executions: { args: { action: "list" }, says: "" },
  variables: { args: {}, says: "" },
  kernels: { args: { action: "list" }, says: "" },
};

describe.skipIf(missing !== null)(`the Inspector's command line${missing === null ? "" : `: ${missing}`}`, () => {
  let server: HttpGranary;
  beforeAll(async () => {
    server = await HttpGranary.start({ cwd, args: ["--no-auth"] });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("lists every tool, and accepts the schemas", async () => {
    // The inspector passes on few variables, so the one that turns the hub off is set behind it.
    const program = ["/usr/bin/env", "GRANARY_HUB=never", process.execPath, inRepository("bin/granary"), "mcp"];
    const { tools } = await inspect<ListToolsResult>(...program, "--method", "tools/list", "--strict");
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
  });

  // The list above has accepted the schemas of all; each call starts the inspector, two processes of Node.
  test.each(firstFew(Object.entries(calls), 1))("calls %s", async (name, { args, says }) => {
    writeFileSync(join(cwd, "notes.txt"), "a line\n");
    const given = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    const call = ["--method", "tools/call", "--tool-name", name, ...given];
    const result = await inspect<CallToolResult>(server.url, "--transport", "http", ...call);
    expect(result).not.toHaveProperty("isError", true);
    expect(result.content).toContainEqual(
      expect.objectContaining({ type: "text", text: expect.stringContaining(says) }),
    );
  });
});

async function inspect<Result>(...args: readonly string[]): Promise<Result> {
  const folder = (environment as { folder: string }).folder;
  const inspector = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const options = { cwd, env: baseEnvironment() };
  const { stdout } = await promisify(execFile)(node as string, [inspector, "--cli", ...args], options);
  return JSON.parse(stdout) as Result;
}
