import { expect, test } from "vitest";
import { serveHttp } from "../../src/hosts/mcp/http/serve-http.ts";
import { testWorkspace, toolThat } from "../hosts/mcp/test-agent.ts";
import { openPage } from "../hosts/page/open-page.ts";
import { attackHttp, printable, sendHttp } from "./attack-http.ts";
import { mutated, mutatedValue } from "./mutations.ts";
import { mcpLines } from "./samples.ts";

const { GRANARY_FUZZ_SEED: seed = "21", GRANARY_FUZZ_CASES: cases = "100" } = process.env;
const hours = { timeout: 6 * 3_600_000 };
const program = { seed: Number(seed), cases: Number(cases) };

test(
  `damaged requests of the page with its token, ${cases} with the seed ${seed}: each is answered, and the page works`,
  hours,
  async () => {
    const page = await openPage();
    await page.runtime.session("agent").run("x = 6 * 7").result;
    const listed = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
    const session = listed.body.sessions[0]?.id ?? "";
    const bodies = [
      { code: "x", cell: "c", path: "n.ipynb", cells: ["a"], from: "a", action: "edit", content: "1", answer: "y" },
      { position: 1, name: "x", offset: 0, limit: 10, to: 1, title: "t", revision: "r", tab: "t", sort: [] },
    ];
    // These run or end something, and are slow rather than interesting.
    const left = /\/(?:run|reset|restore|branch|stop|frame)$/;
    const routes = page.site.routes.filter(({ path }) => !left.test(path));
    const statuses = await attackHttp(page.port, program, (random) => {
      const route = random.pick(routes);
      const filled = route.path.replace(":session", random.chance(0.8) ? session : "none").replace(":file", "main.js");
      const query = random.chance(0.3)
        ? `?path=${random.pick(["n.ipynb", "..%2fx", "%00", "/etc/passwd"])}&before=1`
        : "";
      const path = random.chance(0.4)
        ? `/${printable(mutated([Buffer.from(filled.slice(1) + query)], random))}`
        : filled + query;
      const text = Buffer.from(JSON.stringify(mutatedValue(random.pick(bodies), random)) ?? "");
      return {
        ...{ method: random.chance(0.9) ? route.method : "PUT", path },
        headers: {
          Authorization: `Bearer ${page.token}`,
          ...(random.chance(0.2) && { "If-None-Match": printable(mutated([Buffer.from('"1"')], random)) }),
        },
        body: route.method === "GET" ? Buffer.alloc(0) : random.chance(0.3) ? mutated([text], random) : text,
      };
    });
    // Some were right, or nothing was tried.
    expect(statuses.get(200)).toBeGreaterThan(Number(cases) / 20);
    expect((await page.rest("GET", "sessions")).status).toBe(200);
    expect((await page.runtime.session("agent").run("x").result).output).toBe("42\n");
  },
);

test(
  `damaged requests of MCP over HTTP, ${cases} with the seed ${seed}: each is answered, and the server works`,
  hours,
  async () => {
    const token = "a-token-that-is-long-enough";
    const ping = toolThat(
      "python",
      async () => ({ content: [], isError: false, details: null, structured: {} }) as never,
    );
    const server = await serveHttp({
      ...{ address: { host: "127.0.0.1", port: 0 }, tokens: [token], version: "1" },
      openWorkspace: async () => testWorkspace([ping]),
    });
    const port = Number(new URL(server.url).port);
    const versions = ["2025-11-25", "2026-07-28", "1", ""];
    const statuses = await attackHttp(port, program, (random) => ({
      ...{ method: random.pick(["POST", "POST", "POST", "GET", "DELETE", "PUT"]), path: "/mcp" },
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": random.chance(0.9) ? "application/json" : "text/plain",
        Accept: random.chance(0.9) ? "application/json, text/event-stream" : "*/*",
        ...(random.chance(0.3) && { "MCP-Protocol-Version": random.pick(versions) }),
        ...(random.chance(0.3) && { "Mcp-Session-Id": printable(mutated([Buffer.from("session")], random)) }),
        ...(random.chance(0.1) && { "Last-Event-ID": printable(mutated([Buffer.from("s/1")], random)) }),
      },
      body: mutated(mcpLines, random),
    }));
    expect(statuses.get(400)).toBeGreaterThan(Number(cases) / 20);
    expect(
      await sendHttp(port, { method: "POST", path: "/mcp", headers: { Authorization: "x" }, body: Buffer.alloc(0) }),
    ).toBe(401);
    await server.close();
  },
);
