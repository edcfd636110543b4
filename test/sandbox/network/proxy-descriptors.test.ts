import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HostGate } from "../../../src/sandbox/network/host-gate.ts";
import { listenForSandbox, type SandboxNetwork } from "../../../src/sandbox/network/listen.ts";

const descriptors = (): number => readdirSync("/proc/self/fd").length;

/** A moment that a test waits for, however long a busy machine takes. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 10 });

describe.runIf(process.platform === "linux")("a program cannot use up the descriptors of Granary by its proxy", () => {
  let folder: string;
  let path: string;
  let host: Server;
  let port: number;
  /** At the host, which answers nothing. */
  const open = new Set<Socket>();
  let heard = 0;
  let hasHeardLast = false;
  let gate: HostGate;
  let closeIndex: () => void;
  let network: SandboxNetwork;
  let before: number;
  /** The answer to lookups. */
  let lookedUp: Promise<readonly string[]>;
  let asked = 0;
  let clients: Socket[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "granary-proxy-"));
    path = join(folder, "s");
    [heard, hasHeardLast, asked, lookedUp, clients] = [0, false, 0, Promise.resolve(["127.0.0.1"]), []];
    host = createServer((socket) => {
      heard++;
      open.add(socket);
      socket.on("error", () => undefined).once("close", () => open.delete(socket));
      socket.once("data", (text) => {
        if (String(text).includes("/last")) hasHeardLast = true;
      });
      socket.resume();
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    port = (host.address() as AddressInfo).port;
    const resolve = async (): Promise<readonly string[]> => {
      asked++;
      return lookedUp;
    };
    gate = new HostGate({ hosts: [], index: [{ host: "host.test", port }], resolve });
    closeIndex = gate.openIndex();
    network = await listenForSandbox(path, gate);
    // The first connection loads the proxy.
    await ended(say("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    before = descriptors();
  });
  afterEach(() => {
    network.close();
    host.close();
    for (const socket of [...open, ...clients]) socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  function say(text: string): Socket {
    const socket = connect({ path, allowHalfOpen: true });
    clients.push(socket);
    socket.on("error", () => undefined).resume();
    socket.write(text);
    return socket;
  }
  /** Until the returned function is called. */
  function holdLookups(answer = ["127.0.0.1"]): () => void {
    let found = (): void => undefined;
    lookedUp = new Promise((resolve) => {
      found = () => resolve(answer);
    });
    return found;
  }
  const ended = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once("end", () => socket.destroy()).once("close", () => resolve()));
  const get = (): string => `GET http://host.test:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
  const tunnel = (): string => `CONNECT host.test:${port} HTTP/1.1\r\n\r\n`;
  const leave = (): void => {
    for (const client of clients) client.destroy();
  };
  const allIsAsBefore = (): Promise<void> =>
    eventually(() => {
      expect(open.size).toBe(0);
      expect(descriptors()).toBeLessThanOrEqual(before);
    });

  test.each(["GET", "CONNECT"])("a connection has one request: after it, %s ends the connection", async (second) => {
    await ended(say(get() + (second === "GET" ? get().repeat(3000) : tunnel())));
    await allIsAsBefore();
    expect(heard).toBeLessThanOrEqual(1);
  });

  test("a request behind one that Node answers itself ends with its connection", async () => {
    const wrong = "GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n\r\n";
    const index = "GET /granary/index HTTP/1.1\r\nHost: x\r\n\r\n";
    await ended(say(wrong + index + get()));
    await ended(say(wrong + get() + index));
    await allIsAsBefore();
    closeIndex();
    expect(await gate.ask("host.test", port)).toHaveProperty("refusal");
  });

  test.each(["GET", "CONNECT"])("clients that leave while their host is looked up leave nothing: %s", async (how) => {
    const found = holdLookups();
    for (let n = 0; n < 100; n++) say(how === "GET" ? get() : tunnel());
    await eventually(() => expect(asked).toBe(100));
    leave();
    // Of a tunnel, the proxy reads nothing before it has the host, and so does not know yet.
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before + (how === "GET" ? 0 : 100)));
    found();
    say(get().replace("/ HTTP", "/last HTTP"));
    await eventually(() => expect(hasHeardLast).toBe(true));
    if (how === "GET") expect(heard).toBe(1);
    leave();
    await allIsAsBefore();
  });

  test("clients that come and go start no more lookups than there may be connections", async () => {
    const found = holdLookups();
    for (let n = 0; n < 200; n++) say(get());
    await eventually(() => expect(asked).toBe(200));
    leave();
    await allIsAsBefore();
    for (let n = 0; n < 200; n++) await ended(say(n % 2 === 0 ? get() : tunnel()));
    expect(asked).toBe(200);
    found();
    await allIsAsBefore();
    say(tunnel());
    await eventually(() => expect(open.size).toBe(1));
  });

  test.each(["has no address", "does not listen", "leaves"])(
    "the tunnel of a client that sends on ends where its host %s",
    async (what) => {
      if (what === "leaves") host.on("connection", (socket) => socket.destroy());
      if (what === "does not listen") await new Promise((resolve) => host.close(resolve));
      const found = holdLookups(what === "has no address" ? [] : undefined);
      const all = Array.from({ length: 50 }, () => say(tunnel()));
      await eventually(() => expect(asked).toBe(50));
      await Promise.all(all.map((client) => new Promise((resolve) => client.write("x".repeat(10_000), resolve))));
      found();
      await Promise.all(all.map(ended));
      await allIsAsBefore();
    },
  );

  test("five thousand connections, five hundred at once, leave nothing", async () => {
    const texts = [get(), tunnel(), get().slice(0, 20), ""];
    for (let round = 0; round < 10; round++) {
      for (let n = 0; n < 500; n++) say(texts[n % texts.length] ?? "");
      await eventually(() => expect(open.size).toBeGreaterThan(0));
      expect(open.size).toBeLessThanOrEqual(200);
      leave();
      await allIsAsBefore();
    }
  });

  const ways: Record<string, () => void> = {
    "a request that never ends": () => void say(get().slice(0, -2)),
    "headers without an end": () => void say(`GET http://host.test:${port}/ HTTP/1.1\r\n${"X: y\r\n".repeat(50_000)}`),
    "a tunnel, and silence": () => void say(tunnel()),
    "a tunnel that is half closed": () => void say(tunnel()).end(),
    "a request that is half closed": () => void say(get()).end(),
    "a body without an end": () =>
      void say(`POST http://host.test:${port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\nbegin`),
    "a tunnel in the middle of a transfer": () => void say(tunnel()).write("x".repeat(1_000_000)),
    "an index that is held open": () => void say("GET /granary/index HTTP/1.1\r\nHost: x\r\n\r\n"),
  };
  test.each(Object.keys(ways))("the end of the sandbox ends, and leaves nothing: %s", async (way) => {
    for (let n = 0; n < 20; n++) ways[way]?.();
    const tells = new Promise((resolve) => clients.at(-1)?.once("data", resolve).once("end", resolve));
    const reaches = eventually(() => expect(open.size).toBeGreaterThan(0));
    await (/^a (tunnel|body)/.test(way) && !way.endsWith("closed") ? reaches : Promise.race([tells, pause()]));
    network.close();
    await Promise.all(clients.map((client) => client.destroyed || client.readableEnded || ended(client)));
    leave();
    await allIsAsBefore();
  });
});

/** A few turns of the loop, for clients that get no answer. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}
