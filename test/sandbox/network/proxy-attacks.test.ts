import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createRawServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HostGate } from "../../../src/sandbox/network/host-gate.ts";
import { listenForSandbox, type SandboxNetwork } from "../../../src/sandbox/network/listen.ts";

/** An address of this machine that is not loopback: a list may have it. */
const own = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === "IPv4" && !found.internal && !found.address.startsWith("169.254"))?.address;

describe.skipIf(own === undefined)("a program that speaks to the proxy as it likes", () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-proxy-"));
  const path = join(folder, "s");
  const heard: string[] = [];
  const resolved: string[] = [];
  let server: Server;
  let network: SandboxNetwork;
  let port: number;

  beforeAll(async () => {
    // Both hosts are this server: it notes which one it was taken for.
    server = createServer((request, response) => {
      heard.push(`${request.method} ${request.headers.host} ${request.url}`);
      response.writeHead(302, { location: `http://127.0.0.1:${port}/inner` });
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => response.end(`moved${body}`));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    port = (server.address() as AddressInfo).port;
    const answers: Record<string, readonly string[]> = {
      "allowed.test": [own ?? ""],
      "inner.allowed.test": ["127.0.0.1"],
      "mapped.allowed.test": ["::ffff:127.0.0.1", "::1", "169.254.169.254"],
      "turning.allowed.test": ["127.0.0.1"],
    };
    const resolve = async (name: string): Promise<readonly string[]> => {
      resolved.push(name);
      return answers[name] ?? [];
    };
    const hosts = ["allowed.test", "*.allowed.test", own ?? ""];
    network = await listenForSandbox(path, new HostGate({ hosts, index: [], resolve }));
  });
  afterAll(() => {
    network.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const say = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = "";
      const socket = connect(path, () =>
        socket.write(bytes.replaceAll("PORT", String(port)).replaceAll("OWN", own ?? "")),
      );
      socket.on("data", (chunk) => {
        answer += chunk.toString("latin1");
      });
      socket.on("error", () => resolve(answer)).on("close", () => resolve(answer));
      setTimeout(() => socket.destroy(), 1500);
    });
  const statuses = (answer: string): readonly string[] => answer.match(/^HTTP\/1\.1 \d+/gm) ?? [];

  const refused = [
    "CONNECT 127.1:PORT HTTP/1.1\r\n\r\n",
    "CONNECT 0177.0.0.1:PORT HTTP/1.1\r\n\r\n",
    "CONNECT 0x7f000001:PORT HTTP/1.1\r\n\r\n",
    "CONNECT 127.0.0.1.:PORT HTTP/1.1\r\n\r\n",
    "CONNECT [::ffff:7f00:1]:PORT HTTP/1.1\r\n\r\n",
    "CONNECT [::127.0.0.1]:PORT HTTP/1.1\r\n\r\n",
    "CONNECT [64:ff9b::7f00:1]:PORT HTTP/1.1\r\n\r\n",
    "CONNECT [::1%25lo]:PORT HTTP/1.1\r\n\r\n",
    "CONNECT inner.allowed.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT mapped.allowed.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test.evil.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT evilallowed.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test..:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test%00.evil.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test%2eevil.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed。test.evil.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test:PORT@127.0.0.1:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test#@127.0.0.1:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test\\@127.0.0.1:PORT HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test:0 HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test:70000 HTTP/1.1\r\n\r\n",
    "CONNECT allowed.test:-1 HTTP/1.1\r\n\r\n",
    "CONNECT http://allowed.test:PORT HTTP/1.1\r\n\r\n",
    "CONNECT :PORT HTTP/1.1\r\n\r\n",
    "GET http://inner.allowed.test:PORT/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET http://evil.test:PORT/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET http://allowed.test@127.0.0.1:PORT/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET http://127.0.0.1:PORT\\@allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET //allowed.test:PORT/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET https://allowed.test:PORT/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET file:///etc/passwd HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET http+unix://%2frun%2fdocker.sock/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET http:///PORT HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "GET /granary/index/../x HTTP/1.1\r\nHost: allowed.test\r\n\r\n",
    "POST http://allowed.test:PORT/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n",
    "POST http://allowed.test:PORT/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "POST http://allowed.test:PORT/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "GET http://allowed.test:PORT/ HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
    "GET http://allowed.test:PORT/ HTTP/1.1\r\nHost : a\r\n\r\n",
  ];

  test.each(refused)("is refused: %j", async (bytes) => {
    const before = heard.length;
    const found = statuses(await say(bytes));
    expect(found.filter((status) => !/ 40[03]$/.test(status))).toEqual([]);
    expect(heard.slice(before)).toEqual([]);
  });

  test("is heard by the host it named, whatever its headers say", async () => {
    const before = heard.length;
    const bytes =
      "GET http://ALLOWED.test.:PORT/a HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\nX-Forwarded-Host: evil.test\r\n\r\n";
    expect(statuses(await say(bytes))).toEqual(["HTTP/1.1 302"]);
    expect(heard.slice(before)).toEqual([`GET allowed.test.:${port} /a`]);
  });

  test.each(["GET", "DELETE", "OPTIONS", "POST"])(
    "has the body of its %s in pieces arrive as a body",
    async (method) => {
      heard.length = 0;
      const body = "GET http://inner.allowed.test/ HTTP/1.1\r\nHost: inner.allowed.test\r\n\r\n";
      const framed = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const head = `${method} http://allowed.test:PORT/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await say(`${head}${framed}`);
      expect(answer).toMatch(/^HTTP\/1.1 302 /);
      expect(answer).toContain(`moved${body}`);
      expect(heard).toEqual([`${method} allowed.test:${port} /`]);
    },
  );

  test("gets a redirect as it is, and then needs another connection", async () => {
    const before = heard.length;
    const answer = await say("GET http://allowed.test:PORT/b HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(statuses(answer)).toEqual(["HTTP/1.1 302"]);
    expect(answer).toContain("location: http://127.0.0.1:");
    expect(answer).toMatch(/^connection: close\r$/m);
    expect(heard.slice(before)).toEqual([`GET allowed.test:${port} /b`]);
  });

  test.each(["HTTP/1.1 000 x", "HTTP/1.1 99 x", "HTTP/1.1 200 \x01", "HTTP/1.1 200 OK\r\nA: \x01", "SSH-2.0-x"])(
    "gets an answer, and the proxy goes on, when a host says %j",
    async (begin) => {
      const strange = createRawServer((socket) => socket.on("error", () => undefined).end(`${begin}\r\n\r\nbody`));
      await new Promise<void>((resolve) => strange.listen(0, resolve));
      const { port: other } = strange.address() as AddressInfo;
      const bytes = `GET http://allowed.test:${other}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(statuses(await say(bytes))).toHaveLength(1);
      expect(statuses(await say(bytes))).toHaveLength(1);
      strange.close();
    },
  );

  test("has a name resolved once, so that a second answer changes nothing", async () => {
    const before = resolved.length;
    await say("CONNECT allowed.test:PORT HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(resolved.slice(before)).toEqual(["allowed.test"]);
  });
});
