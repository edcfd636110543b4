import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { serveHttp } from "../../../../src/hosts/mcp/http/serve-http.ts";
import { nodeEnvironment, nodeFrom } from "../../../environment/nodes.ts";
import { testWorkspace } from "../test-agent.ts";
import { createFixtureServer } from "./fixture-server.ts";
import { ownTools } from "./fixture-tools.ts";

const environment = nodeEnvironment("mcp");
const node = "folder" in environment ? nodeFrom(22, environment.folder) : null;
const missing =
  "missing" in environment ? environment.missing : node === null ? "it needs Node 22, and there is none" : null;

describe.skipIf(missing !== null)(
  `the protocol's own conformance suite${missing === null ? "" : `: ${missing}`}`,
  () => {
    test("passes for the server, revision 2025-11-25", async () => {
      const server = await serveHttp({
        address: { host: "127.0.0.1", port: 0 },
        tokens: null,
        version: "1",
        openWorkspace: async () => testWorkspace(ownTools),
        createServer: createFixtureServer,
      });
      try {
        const { stdout } = await runSuite(server.url);
        const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(stdout) ?? [];
        expect({ failed, verdict: stdout.slice(-3000) }).toMatchObject({ failed: "0" });
        expect(Number(passed)).toBeGreaterThanOrEqual(44);
      } finally {
        await server.close();
      }
    });
  },
);

async function runSuite(url: string): Promise<{ stdout: string }> {
  const folder = (environment as { folder: string }).folder;
  const program = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const args = [program, "server", "--url", url, "--suite", "all", "--spec-version", "2025-11-25"];
  // The exit code only repeats the last line.
  return promisify(execFile)(node as string, args, { maxBuffer: 50_000_000 }).catch((error) => error);
}
