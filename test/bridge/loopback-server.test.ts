import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LoopbackServer, type Ticket } from "../../src/bridge/loopback-server.ts";
import { createTrace } from "../../src/kernel/trace.ts";
import { until } from "../kernel/until.ts";
import { waitFor } from "./host-tools.ts";

describe("the address for calls", () => {
  const server = new LoopbackServer();
  let ticket: Ticket & { revoke(): void };
  let calledOff = 0;
  let underWay = 0;

  beforeAll(async () => {
    ticket = await server.admit("agent", async ({ name, args, signal }) => {
      underWay += 1;
      if (name === "hang") return waitFor(signal, () => (calledOff += 1));
      return { value: [name, args] };
    });
  });
  afterAll(() => server.close());

  const call = (
    headers: Readonly<Record<string, string>> = {},
    body = '{"name":"read","args":{"path":"a"}}',
    { method = "POST", path = "/call" } = {},
  ): Promise<{ status: number | undefined; reply: unknown }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(ticket.url);
      const usual = { authorization: `Bearer ${ticket.token}`, "content-type": "application/json" };
      const sent = request({ hostname, port, method, path, headers: { ...usual, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode, reply: JSON.parse(text) }));
      });
      sent.on("error", reject);
      sent.end(body);
    });

  test("is on this machine only, and answers holders of the token", async () => {
    expect(ticket.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await call()).toEqual({ status: 200, reply: { value: ["read", { path: "a" }] } });
  });

  test.each([
    ["a wrong token", { authorization: "Bearer granary-bridge-wrong" }, 401],
    ["no token", { authorization: "" }, 401],
    ["another name for this machine, as a web page could use", { host: "evil.example:80" }, 403],
    ["a page's origin", { origin: "http://evil.example" }, 403],
    ["a form", { "content-type": "text/plain" }, 404],
  ])("refuses %s", async (_what, headers, status) => {
    const before = underWay;
    const refused = await call(headers);
    expect(refused).toMatchObject({ status, reply: { error: { code: "refused" } } });
    expect(underWay).toBe(before);
  });

  test.each([
    ["without the token", ""],
    ["under another name", "Host: evil.example\r\n"],
  ])("does not read a body without end that comes %s", async (_what, header) => {
    const { port } = new URL(ticket.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    const host = header === "" ? `Host: 127.0.0.1:${port}\r\n` : header;
    socket.write(`POST /call HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    let sent = 0;
    const flood = (): void => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on("drain", flood).resume();
    flood();
    await new Promise((resolve) => socket.once("close", resolve));
    // No more than the buffers of both systems hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test("refuses requests that are not calls", async () => {
    expect(await call({}, "{}")).toMatchObject({ status: 400 });
    expect(await call({}, "nonsense")).toMatchObject({ status: 400 });
    expect(await call({}, "", { method: "GET" })).toMatchObject({ status: 404 });
    expect(await call({}, "{}", { path: "/" })).toMatchObject({ status: 404 });
  });

  test("refuses more than fits in memory, and names the remedy", async () => {
    const { status, reply } = await call({}, "x".repeat(65_000_000));
    expect(status).toBe(413);
    expect(reply).toEqual({
      error: {
        code: "too-large",
        message: "The arguments have 65 MB; at most 64 MB can be sent. Write a file, and send its path.",
      },
    });
  });

  test("refuses more values than fit in memory", async () => {
    const { status, reply } = await call({}, `{"name":"x","args":{"a":[${"{},".repeat(1_000_000)}1]}}`);
    expect(status).toBe(413);
    expect(reply).toMatchObject({ error: { code: "too-large", message: expect.stringContaining("too many values") } });
  });

  test("a caller that disconnects cancels its call", async () => {
    const { hostname, port } = new URL(ticket.url);
    const body = '{"name":"hang","args":{}}';
    const before = underWay;
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `POST /call HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${ticket.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await until("the call is under way", () => underWay > before);
    socket.destroy();
    await until("it is called off", () => calledOff === 1);
  });

  test("a token is valid until it is revoked, and for its session only", async () => {
    const other = await server.admit("other", async () => ({ text: "other" }));
    expect(other.token).not.toBe(ticket.token);
    expect(await call({ authorization: `Bearer ${other.token}` })).toMatchObject({ reply: { text: "other" } });
    other.revoke();
    expect(await call({ authorization: `Bearer ${other.token}` })).toMatchObject({ status: 401 });
    expect(await call()).toMatchObject({ status: 200 });
  });

  test("a trace shows no token, in any place", () => {
    const lines: string[] = [];
    createTrace((line) => lines.push(line), [])("send", "shell", `connect("${ticket.url}", "${ticket.token}")`);
    expect(lines.join()).toContain('"<masked>"');
    expect(lines.join()).not.toContain(ticket.token);
  });
});

test("closing it cancels running calls, and refuses new ones", async () => {
  const server = new LoopbackServer();
  let isCalledOff = false;
  let isUnderWay = false;
  const { url, token } = await server.admit("agent", ({ signal }) => {
    isUnderWay = true;
    return waitFor(signal, () => {
      isCalledOff = true;
    });
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const calling = fetch(`${url}/call`, { method: "POST", headers, body: '{"name":"hang","args":{}}' });
  const failed = calling.then(
    () => false,
    () => true,
  );
  await until("the call is under way", () => isUnderWay);
  await server.close();
  expect(await failed).toBe(true);
  await until("it is called off", () => isCalledOff);
  await expect(fetch(url)).rejects.toThrow();
});
