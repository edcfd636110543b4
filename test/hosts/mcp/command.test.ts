import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { mcpOptions } from "../../../src/hosts/cli/mcp/mcp-arguments.ts";
import { keys } from "../../terminal/keys.ts";
import { baseEnvironment, granary } from "../cli/granary.ts";
import { granaryInTerminal } from "../cli/terminal.ts";
import { clientOf, HttpGranary } from "./granary-mcp.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("a usage error is reported in a sentence", () => {
  test.each([
    [["--http", "nonsense"], "--http takes HOST:PORT, such as 127.0.0.1:3333"],
    [["--http", "0.0.0.0:0", "--no-auth"], "--no-auth would let anybody run code here who can reach 0.0.0.0"],
    [["--http", "0", "--token", "short"], "A token has at least 16 characters"],
    [["--http", "0", "--token", "long-enough-to-be-one", "--no-auth"], "Give either --token or --no-auth."],
    [["--no-auth"], "--no-auth goes with --http only."],
    [["--root", "/nowhere/at/all"], "There is no folder /nowhere/at/all."],
    [["--cwd", "/nowhere/at/all"], "There is no folder /nowhere/at/all."],
    [["--http", "0", "--idle-minutes", "soon"], "--idle-minutes takes a number above 0"],
    [["--readonly"], "Did you mean --read-only?"],
    [["serve"], "granary mcp takes options only"],
  ])("%j", async (args, sentence) => {
    const { stdout, stderr, exitCode } = await granary(["mcp", ...args], { cwd });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  test("a port that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const { stderr, exitCode } = await granary(["mcp", "--http", `127.0.0.1:${port}`], { cwd });
    expect({ stderr, exitCode }).toMatchObject({
      stderr: expect.stringContaining("something else does already"),
      exitCode: 2,
    });
    taken.close();
  });

  test("--help explains every option", async () => {
    const { stdout, exitCode } = await granary(["mcp", "--help"]);
    expect(exitCode).toBe(0);
    for (const option of Object.keys(mcpOptions)) expect(stdout).toContain(`--${option}`);
  });
});

describe("the server reports to people", () => {
  test("what it waits for when started in a terminal, and Ctrl-C ends it", async () => {
    const { screen, exitCode } = await granaryInTerminal(["mcp"], [{ after: "Ctrl-C ends it.", type: keys.ctrl("c") }]);
    expect(screen).toContain("granary: waiting for an MCP client on standard input.");
    expect(exitCode).toBe(130);
  });

  test("why there is no Python, on standard error", async () => {
    const { stdout, stderr, exitCode } = await granary(["mcp", "--python", "/nowhere/python"], { cwd });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
    expect(stderr).toMatch(/^granary: Python is not available, so there are only the other tools\..*\n$/);
  });
});

describe("standard output", () => {
  test("carries only the protocol, even when code prints, and the end of standard input ends the server cleanly", async () => {
    const child = spawn(process.execPath, [inRepository("bin/granary"), "mcp"], { cwd, env: baseEnvironment() });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.includes('"id":2')) child.stdin.end();
    });
    const exited = new Promise((resolve) => child.on("exit", resolve));
    const code = "import os\nprint('printed')\nos.write(1, b'raw\\n')\nos.system('echo from a child')";
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "python", arguments: { cells: [{ code }] } } },
    ];
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    expect(await exited).toBe(0);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect(answers.at(-1)).toMatchObject({
      id: 2,
      result: { content: [{ text: expect.stringContaining("from a child") }] },
    });
  });
});

describe("limits", () => {
  test("--root keeps file tools and resources inside a folder, even through links", async () => {
    const root = mkdtempSync(join(cwd, "root-"));
    writeFileSync(join(root, "inside.txt"), "inside");
    writeFileSync(join(cwd, "secret.txt"), "secret");
    symlinkSync(join(cwd, "secret.txt"), join(root, "link.txt"));
    await using started = await clientOf(
      { cwd: root, args: ["--root", root] },
      { over: "stdio", revision: "2025-11-25" },
    );
    const read = async (path: string) => started.client.callTool({ name: "read", arguments: { path } });
    expect(textOf(await read("inside.txt"))).toContain("inside");
    for (const path of ["../secret.txt", "link.txt", join(cwd, "secret.txt")]) {
      const refused = await read(path);
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).not.toContain("\nsecret");
    }
    await expect(started.client.readResource({ uri: `file://${cwd}/secret.txt` })).rejects.toThrow(root);
    const elsewhere = { name: "python", arguments: { cells: [{ code: "1" }], cwd: ".." } };
    expect(await started.client.callTool(elsewhere)).toMatchObject({ isError: true });
  });

  test("--read-only hides every tool that could change anything", async () => {
    await using started = await clientOf({ cwd, args: ["--read-only"] }, { over: "stdio", revision: "2026-07-28" });
    const { tools } = await started.client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await expect(started.client.callTool({ name: "write", arguments: {} })).rejects.toThrow("There is no tool write.");
  });
});

describe("tokens", () => {
  const token = "chosen-by-somebody-else";

  test("a chosen token is not shown, and code cannot see it", async () => {
    await using server = await HttpGranary.start({ cwd, env: { GRANARY_MCP_TOKEN: token } });
    const client = await server.connect({ revision: "2025-11-25" }, {}, {}, token);
    expect(server.stderr).not.toContain(token);
    const result = await client.callTool({
      name: "python",
      arguments: { cells: [{ code: "import os\n[name for name in os.environ if 'TOKEN' in name]" }] },
    });
    expect(textOf(result as CallToolResult).trim()).toBe("[]");
    await client.close();
  });

  test("a token's holder neither lists nor reads the artifacts of another's", async () => {
    const tokens = ["first-token-long-enough", "second-token-long-enough"];
    const args = tokens.flatMap((each) => ["--token", each]);
    await using server = await HttpGranary.start({ cwd, args, env: { GRANARY_HOME: join(cwd, "home") } });
    const connected = tokens.map((each) => server.connect({ revision: "2026-07-28" }, {}, {}, each));
    const [first, second] = (await Promise.all(connected)) as [Client, Client];
    await first.callTool({ name: "bash", arguments: { command: "seq 100000" } });
    const own = async (client: Client) =>
      (await client.listResources()).resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("artifact:"));
    expect([await own(first), await own(second)]).toEqual([["artifact://main-1"], []]);
    expect((await first.readResource({ uri: "artifact://main-1?lines=7" })).contents[0]).toMatchObject({
      text: expect.stringMatching(/^7\n/),
    });
    await expect(second.readResource({ uri: "artifact://main-1" })).rejects.toThrow("There is no artifact main-1");
    await Promise.all([first.close(), second.close()]);
  });

  test("--no-auth requires none on this machine", async () => {
    await using server = await HttpGranary.start({ cwd, args: ["--no-auth"] });
    const client = await server.connect({ revision: "2025-11-25" }, {}, {}, "any-token-will-do");
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});

test("the list of tools is short, since every conversation pays for it, and each tool has longer help", async () => {
  await using started = await clientOf({ cwd }, { over: "stdio", revision: "2025-11-25" });
  const { tools } = await started.client.listTools();
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(10_000);
  const { resources } = await started.client.listResources();
  const help = resources.filter(({ uri }) => uri.startsWith("granary://help/"));
  expect(help.map(({ name }) => name)).toContain("help/python");
  const { contents } = await started.client.readResource({ uri: "granary://help/python" });
  expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("cells") }]);
});

function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
}
