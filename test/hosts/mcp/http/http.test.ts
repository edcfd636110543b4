import { request as httpRequest } from "node:http";
import { createConnection } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { HttpSessions } from "../../../../src/hosts/mcp/http/http-sessions.ts";
import { type HttpServer, type ServeHttpOptions, serveHttp } from "../../../../src/hosts/mcp/http/serve-http.ts";
import { createMcpServer } from "../../../../src/hosts/mcp/mcp-server.ts";
import { deferred } from "../../../../src/support/deferred.ts";
import { attemptAt } from "../../http-attempt.ts";
import { say, TestAgent, testWorkspace, toolThat } from "../test-agent.ts";

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const ping = toolThat("ping", async () => say("pong"));

async function start(options: Partial<ServeHttpOptions> & { tools?: Parameters<typeof testWorkspace>[0] } = {}) {
  const workspaces = new Map<string, ReturnType<typeof testWorkspace>>();
  const server = await serveHttp({
    address: { host: "127.0.0.1", port: 0 },
    tokens: null,
    version: "1",
    openWorkspace: async (user) => {
      const workspace = testWorkspace(options.tools ?? [ping]);
      workspaces.set(user, workspace);
      return workspace;
    },
    ...options,
  });
  open.push(server);
  return { ...server, workspaces };
}

async function connect(url: string, options: { token?: string | undefined; sessionId?: string } = {}) {
  const client = new Client({ name: "test", version: "1" });
  const { token, sessionId } = options;
  const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit,
    ...(sessionId ? { sessionId } : {}),
  });
  await client.connect(transport);
  return { client, transport };
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Requests that `fetch` would not send. */
function post(url: string, headers: Record<string, string>, body: string = JSON.stringify(initialize)) {
  return new Promise<{ status: number | undefined; text: string; sessionId: unknown }>((resolve, reject) => {
    const all = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers };
    const request = httpRequest(url, { method: "POST", headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, text, sessionId: response.headers["mcp-session-id"] }),
      );
    });
    request.on("error", reject).end(body);
  });
}

describe("access", () => {
  const token = "a-token-that-is-long-enough";

  test("is for holders of the token only", async () => {
    const { url } = await start({ tokens: [token] });
    expect((await post(url, {})).status).toBe(401);
    expect((await post(url, { Authorization: "Bearer another-token-altogether" })).status).toBe(401);
    expect((await post(url, { Authorization: `Basic ${token}` })).status).toBe(401);
    expect((await post(url, { Authorization: `Bearer ${token}` })).status).toBe(200);
    const { client } = await connect(url, { token });
    expect((await client.listTools()).tools).toHaveLength(1);
    await client.close();
  });

  test("is refused to web pages: neither under a name of their own nor from another origin", async () => {
    const { url } = await start();
    const port = new URL(url).port;
    expect((await post(url, { Host: "evil.example" })).status).toBe(403);
    expect((await post(url, { Host: `localhost:${port}` })).status).toBe(200);
    expect((await post(url, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await post(url, { Origin: "null" })).status).toBe(403);
    expect((await post(url, { Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).status).toBe(200);
  });

  test("without a token is refused to pages of other servers on this machine", async () => {
    const { url } = await start();
    const { port } = new URL(url);
    for (const origin of [
      "http://localhost:8888",
      "http://127.0.0.1:3000",
      "http://[::1]:1",
      `https://localhost`,
      "null",
    ])
      expect((await post(url, { Origin: origin })).status).toBe(403);
    expect((await post(url, { Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).status).toBe(200);
    const withToken = await start({ tokens: [token] });
    const headers = { Origin: "http://localhost:8888", Authorization: `Bearer ${token}` };
    expect((await post(withToken.url, headers)).status).toBe(200);
  });

  test("is refused for every method at every path: without the token, under another name, from another origin", async () => {
    const { url, workspaces } = await start({ tokens: [token] });
    const port = Number(new URL(url).port);
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    const paths = [
      "/mcp",
      "/mcp/",
      "/mcp?token=x",
      "/",
      "/sse",
      "/messages",
      "/.well-known/oauth-protected-resource",
      "//mcp",
    ];
    const right = { Authorization: `Bearer ${token}` };
    const wrong: readonly (readonly [Record<string, string>, readonly number[]])[] = [
      [{}, [401, 404]],
      [{ Authorization: `Bearer ${token}0` }, [401, 404]],
      [{ Authorization: "Bearer " }, [401, 404]],
      [{ Cookie: `token=${token}` }, [401, 404]],
      [{ ...right, Host: `example.org:${port}` }, [403]],
      [{ ...right, Origin: "http://example.org" }, [403]],
      [{ ...right, Origin: "null" }, [403]],
      [{ ...right, Origin: `http://127.0.0.1.example.org:${port}` }, [403]],
    ];
    for (const [headers, statuses] of wrong) {
      for (const method of methods) {
        for (const path of paths) {
          const status = await attemptAt(port, { method, path, headers });
          expect(statuses, `${method} ${path} ${JSON.stringify(headers)}: ${status}`).toContain(status);
        }
      }
      expect(await attemptAt(port, { path: "/mcp", isUpgrade: true, headers })).not.toBe(101);
    }
    // Nobody was let in.
    expect([...workspaces.keys()]).toEqual([]);
  });

  test("that is refused ends the connection: a body without end is not read", async () => {
    const { url } = await start({ tokens: [token] });
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    let sent = 0;
    const flood = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on("drain", flood);
    flood();
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    await new Promise((resolve) => socket.once("close", resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    // No more than the buffers of both systems hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test.each([
    ["sends nothing", ""],
    ["sends half of its headers", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"],
    ["sends half of its body", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"],
  ])("ends for a connection that %s", async (_what, beginning) => {
    const { url } = await start({ timeouts: { headersMs: 200, requestMs: 400 } });
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined).resume();
    if (beginning !== "") socket.write(beginning);
    await new Promise((resolve) => socket.once("close", resolve));
    expect((await post(url, {})).status).toBe(200);
  });

  test("stays for a stream that is silent for longer than a request may take", async () => {
    const { url } = await start({ timeouts: { headersMs: 200, requestMs: 300 } });
    const { client } = await connect(url);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await client.callTool({ name: "ping", arguments: {} })).content).toEqual([{ type: "text", text: "pong" }]);
    await client.close();
  });

  test("works under another name, if that was allowed", async () => {
    const { url } = await start({ allowedHosts: ["granary.example"] });
    expect((await post(url, { Host: "granary.example" })).status).toBe(200);
  });

  test("requests that are too long are refused before they are read", async () => {
    const { url } = await start({ longestRequest: 1000 });
    const body = JSON.stringify({ ...initialize, padding: "x".repeat(2000) });
    expect((await post(url, {}, body)).status).toBe(413);
  });

  test("other paths are 404, and a request without a session gets a message how to begin one", async () => {
    const { url } = await start();
    expect((await post(url.replace("/mcp", "/"), {})).text).toContain("the MCP server is at /mcp");
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(await post(url, {}, list)).toMatchObject({ status: 400, text: expect.stringContaining("send initialize") });
    const noJson = await post(url, {}, "{");
    expect({ status: noJson.status, answer: JSON.parse(noJson.text) }).toMatchObject({
      status: 400,
      answer: { error: { code: -32700, message: "This is not JSON." } },
    });
    expect((await post(url, { "Mcp-Session-Id": "unknown" }, list)).status).toBe(404);
  });
});

describe("sessions", () => {
  const tokens = ["first-token-long-enough", "second-token-long-enough"];

  test("belong to the token that began them", async () => {
    const { url, workspaces } = await start({ tokens });
    const { client, transport } = await connect(url, { token: tokens[0] });
    const sessionId = transport.sessionId as string;
    const list = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
    const headers = { "Mcp-Session-Id": sessionId, "MCP-Protocol-Version": "2025-11-25" };
    expect((await post(url, { ...headers, Authorization: `Bearer ${tokens[1]}` }, list)).status).toBe(404);
    expect((await post(url, { ...headers, Authorization: `Bearer ${tokens[0]}` }, list)).status).toBe(200);
    expect([...workspaces.keys()]).toEqual(["token-1", "token-2"]);
    await client.close();
  });

  test("have an agent context each, which outlives the connection and serves the reconnected client", async () => {
    const { url, workspaces } = await start();
    const first = await connect(url);
    const second = await connect(url);
    expect(workspaces.get("anybody")?.agents).toHaveLength(2);
    const { sessionId } = first.transport;
    await first.client.close();
    const again = await connect(url, { sessionId: sessionId as string });
    expect((await again.client.callTool({ name: "ping", arguments: {} })).content).toEqual([
      { type: "text", text: "pong" },
    ]);
    expect(workspaces.get("anybody")?.agents).toHaveLength(2);
    await Promise.all([again.client.close(), second.client.close()]);
  });

  test("end when the client says so", async () => {
    const { url, workspaces } = await start();
    const { client, transport } = await connect(url);
    await transport.terminateSession();
    expect(workspaces.get("anybody")?.agents[0]?.isClosed).toBe(true);
    await client.close();
  });

  test("are closed when idle, but not while a request or a stream is open", async () => {
    const agent = new TestAgent([ping]);
    const sessions = new HttpSessions({
      openAgent: async () => agent,
      createServer: () => createMcpServer(agent, { era: "legacy", version: "1" }),
      idleMs: 0,
      most: 10,
    });
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const begun = new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(initialize) });
    const response = await sessions.handle(begun);
    await response.text();
    const noLongerUsed = sessions.use(response.headers.get("mcp-session-id") as string);
    await sessions.closeIdle();
    expect(agent.isClosed).toBe(false);
    noLongerUsed();
    await sessions.closeIdle();
    expect(agent.isClosed).toBe(true);
    await sessions.close();
  });

  test("that were idle for long make room for new ones, the one idle for longest first", async () => {
    const agents = [new TestAgent([ping]), new TestAgent([ping]), new TestAgent([ping])];
    const opened: TestAgent[] = [];
    const sessions = new HttpSessions({
      openAgent: async () => {
        opened.push(agents[opened.length] as TestAgent);
        return opened.at(-1) as TestAgent;
      },
      createServer: (agent) => createMcpServer(agent, { era: "legacy", version: "1" }),
      idleMs: 1_000_000,
      abandonedMs: 0,
      most: 2,
    });
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const begin = async () => {
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers,
        body: JSON.stringify(initialize),
      });
      const response = await sessions.handle(request);
      await response.text();
      return response.headers.get("mcp-session-id") as string;
    };
    const first = await begin();
    await begin();
    // Used again, so the second is now idle for longest.
    sessions.use(first)();
    await begin();
    expect(agents.map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
    await sessions.close();
  });

  test("that were abandoned without a call do not lock their bearer out: they make room, and those with calls stay", async () => {
    const agents: TestAgent[] = [];
    const sessions = new HttpSessions({
      openAgent: async () => {
        agents.push(new TestAgent([ping]));
        return agents.at(-1) as TestAgent;
      },
      createServer: (agent) => createMcpServer(agent, { era: "legacy", version: "1" }),
      idleMs: 1_000_000,
      abandonedMs: 0,
      most: 64,
    });
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const send = async (body: object, more: Record<string, string> = {}) => {
      const all = { ...headers, ...more };
      const response = await sessions.handle(
        new Request("http://localhost/mcp", { method: "POST", headers: all, body: JSON.stringify(body) }),
      );
      await response.text();
      return response;
    };
    const first = await send(initialize);
    const id = first.headers.get("mcp-session-id") as string;
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "ping", arguments: {} } };
    await send(call, { "Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-11-25" });
    const statuses = [];
    for (let number = 0; number < 200; number++) statuses.push((await send(initialize)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(sessions.size).toBe(64);
    expect(agents[0]?.isClosed).toBe(false);
    await sessions.close();
  });

  test("are limited in number", async () => {
    const { url } = await start({ mostSessions: 1 });
    expect((await post(url, {})).status).toBe(200);
    expect(await post(url, {})).toMatchObject({ status: 503, text: expect.stringContaining("Close one of them") });
  });

  test("are limited in number even when many begin at once", async () => {
    const { url } = await start({ mostSessions: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(url, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503, 503]);
  });

  test("an agent context that failed to open is tried again with the next request", async () => {
    let attempts = 0;
    const workspace = testWorkspace([ping]);
    const openAgent: typeof workspace.openAgent = (choice) =>
      ++attempts === 1 ? Promise.reject(new Error("not yet")) : workspace.openAgent(choice);
    const { url } = await start({ openWorkspace: async () => ({ ...workspace, openAgent }) });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url))).catch(() => undefined);
    const again = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await again.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect((await again.listTools()).tools).toHaveLength(1);
    await Promise.all([client.close(), again.close()]);
  });

  test("a client whose connection broke gets the missed result", async () => {
    const goOn = deferred<void>();
    const slow = toolThat("slow", async (_, { onUpdate }) => {
      onUpdate?.({ text: "began", details: {} });
      await goOn.promise;
      return say("done");
    });
    const { url } = await start({ tools: [slow] });
    const { sessionId } = await post(url, {});
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "Mcp-Session-Id": String(sessionId),
      "MCP-Protocol-Version": "2025-11-25",
    };
    const params = { name: "slow", arguments: {}, _meta: { progressToken: 1 } };
    const connection = new AbortController();
    const broken = await fetch(url, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 5, method: "tools/call", params }),
      signal: connection.signal,
    });
    const lastEventId = await untilProgress(broken);
    connection.abort();
    goOn.resolve();
    const replayed = await fetch(url, { headers: { ...headers, "Last-Event-ID": lastEventId } });
    const text = await replayed.text();
    expect(text).toContain('"id":5');
    expect(text).toContain('"done"');
    expect(text).not.toContain('"began"');
  });
});

/** Reads a stream up to the first progress, and returns that event's id. */
async function untilProgress(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const found = /id: (\S+)\ndata: [^\n]*notifications\/progress[^\n]*\n/.exec(text);
    if (found !== null) return found[1] as string;
  }
  throw new Error(`There was no progress: ${text}`);
}
