import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Handlers, type IncomingCall, Peer } from "../../src/hub/wire/peer.ts";

const folder = mkdtempSync(join(tmpdir(), "granary-peer-"));
const path = join(folder, "peer.sock");
let server: Server;
let handlers: Handlers = {};
/** How often the server's side wrote to its socket. */
let writes = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
    socket.write = ((...args: unknown[]) => {
      writes += 1;
      return write(...args);
    }) as Socket["write"];
    new Peer(socket, () => handlers);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A request to the server: what it told, and its answer. */
async function ask(handler: (call: IncomingCall) => Promise<unknown>) {
  handlers = { ask: (_: never, call: IncomingCall) => handler(call) };
  writes = 0;
  const peer = new Peer(connect(path), () => ({}));
  const told: [event: object, body: string | null][] = [];
  const onEvent = (event: object, body: Buffer | null) => void told.push([event, body?.toString("utf8") ?? null]);
  const answer = await peer.request("ask", {}, { onEvent });
  peer.destroy();
  return { told, answer };
}

test("the frames of one turn leave in one write, in order, with the answer", async () => {
  const { told, answer } = await ask(async ({ tell }) => {
    void tell({ at: 1 });
    await null;
    void tell({ at: 2 }, "text");
    await Promise.resolve().then(() => null);
    return "done";
  });
  expect(told).toEqual([
    [{ at: 1 }, null],
    [{ at: 2 }, "text"],
  ]);
  expect(answer).toBe("done");
  expect(writes).toBe(1);
});

test("letters beyond ASCII, bytes and large texts keep their place among short frames", async () => {
  const large = "ü€😀x".repeat(100_000);
  const { told, answer } = await ask(async ({ tell }) => {
    void tell({ at: 1 });
    void tell({ at: "größe" }, "plain");
    void tell({ at: 2 }, "naïve 😀");
    void tell({ at: 3 });
    void tell({ at: 4 }, large);
    void tell({ at: 5 }, new TextEncoder().encode("bytes"));
    return { at: 6 };
  });
  expect(told).toEqual([
    [{ at: 1 }, null],
    [{ at: "größe" }, "plain"],
    [{ at: 2 }, "naïve 😀"],
    [{ at: 3 }, null],
    [{ at: 4 }, large],
    [{ at: 5 }, "bytes"],
  ]);
  expect(answer).toEqual({ at: 6 });
});

test("a sender that never lets go of its turn is told to wait, and all of it arrives", async () => {
  let waits = 0;
  const { told } = await ask(async ({ tell }) => {
    for (let at = 0; at < 20_000; at++) {
      const told = tell({ at }, "x".repeat(100));
      if (told !== undefined) waits += 1;
      await told;
    }
  });
  expect(told.map(([event]) => event)).toEqual(Array.from({ length: 20_000 }, (_, at) => ({ at })));
  expect(waits).toBeGreaterThan(0);
});

test("a request leaves at once, with those that wait for it", async () => {
  handlers = { hello: async () => "hello", ask: async () => "answer" };
  const peer = new Peer(connect(path), () => ({}));
  const hello = peer.request("hello", {}, { leavesLater: true });
  const answer = peer.request("ask");
  expect(await Promise.all([hello, answer])).toEqual(["hello", "answer"]);
  const later = peer.request("hello", {}, { leavesLater: true });
  peer.flush();
  expect(await later).toBe("hello");
  peer.destroy();
});
