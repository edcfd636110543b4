import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cutUnreadConnections } from "../../src/support/http/unread-connections.ts";
import { until } from "../kernel/until.ts";

const answer = Buffer.alloc(20_000_000, "x");
let server: Server;
const clients: Socket[] = [];

beforeAll(async () => {
  server = createServer((request, response) => (request.url === "/silent" ? undefined : response.end(answer)));
  cutUnreadConnections(server, 2000);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  await promisify(server.close.bind(server))();
});

async function request(path: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  clients.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
  return socket;
}

const connections = (): Promise<number> => promisify(server.getConnections.bind(server))();

test("a client that never reads loses its connection; one that reads slowly, or has nothing to read, keeps it", async () => {
  const silent = await request("/silent");
  const slow = await request("/long");
  let read = 0;
  let sinceRest = 0;
  slow.on("data", (chunk: Buffer) => {
    read += chunk.length;
    sinceRest += chunk.length;
    if (sinceRest < 4_000_000) return;
    sinceRest = 0;
    slow.pause();
    setTimeout(() => slow.resume(), 100);
  });
  const stuck = await request("/long");
  stuck.pause();
  expect(await connections()).toBe(3);
  await until("the stuck one is closed", async () => (await connections()) === 2);
  await until("the slow one has all", () => read > answer.length);
  expect([silent.destroyed, slow.destroyed]).toEqual([false, false]);
  expect(await connections()).toBe(2);
});
