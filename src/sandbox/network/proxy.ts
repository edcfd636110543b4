import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HostGate } from "./host-gate.ts";

/** The path at which a program says that it installs packages, for as long as the connection lasts. */
const indexPath = "/granary/index";

/** The most requests whose host is being looked up, also for clients that have left by then. */
const mostLookups = 200;

/** The parts of this process that a request may use. */
interface Means {
  readonly gate: HostGate;
  /** Takes every socket to a host, to close it with the sandbox. */
  readonly onSocket: (socket: Socket) => void;
}

/**
 * Speaks HTTP, and CONNECT for everything else. A refusal is in the status line, which clients show. It does not listen. A connection has
 * one request, and so at most one socket to a host, which closes with it: a cell must not use up the descriptors of this process.
 */
export function createProxy(gate: HostGate, onSocket: (socket: Socket) => void): Server {
  const used = new WeakSet<Duplex>();
  let lookups = 0;
  const means: Means = { gate, onSocket };
  const once = (socket: Duplex, work: () => Promise<void>, fail: (status: number, why: string) => void): void => {
    if (used.has(socket)) return void socket.destroy();
    used.add(socket);
    if (lookups >= mostLookups) return fail(503, "The sandbox has too many connections");
    lookups++;
    void work()
      .catch((error: Error) => fail(502, error.message))
      .finally(() => lookups--);
  };
  const server = createServer((incoming, response) =>
    once(
      incoming.socket,
      () => forward(incoming, response, means),
      (status, why) => answer(response, status, why),
    ),
  );
  return server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) =>
    once(
      socket,
      () => tunnel(incoming, socket, head, means),
      (status, why) => refuse(socket, status, why),
    ),
  );
}

async function tunnel({ url = "" }: IncomingMessage, socket: Duplex, head: Buffer, means: Means): Promise<void> {
  const target = parsed(`tcp://${url}`);
  const port = Number(target?.port);
  if (target === null || !(port > 0)) return refuse(socket, 400, "The address needs a host and a port");
  const answer = await means.gate.ask(bare(target.hostname), port);
  if (socket.destroyed) return;
  if ("refusal" in answer) return refuse(socket, 403, answer.refusal);
  const upstream = connect(port, answer.address);
  means.onSocket(upstream);
  socket.once("close", () => upstream.destroy());
  const unreachable = (error: Error): void => refuse(socket, 502, error.message);
  upstream.once("error", unreachable).once("close", () => endWith(socket, ""));
  upstream.once("connect", () => {
    // From here on, the client takes every byte for one of the host.
    upstream.off("error", unreachable);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.pipe(socket);
  });
  upstream.write(head);
  // Before there is a connection, because only a socket that is read tells that its client has left.
  socket.pipe(upstream);
}

function refuse(socket: Duplex, status: number, why: string): void {
  const reason = oneLine(why);
  endWith(socket, `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`);
}

/** Without waiting for the end of the other side, which shows only to a reader. */
function endWith(socket: Duplex, text: string): void {
  socket.end(text, () => socket.destroy());
}

async function forward(incoming: IncomingMessage, response: ServerResponse, means: Means): Promise<void> {
  const { url = "", method = "GET" } = incoming;
  if (url === indexPath) return holdIndexOpen(incoming, response, means.gate);
  const target = url.startsWith("http://") ? parsed(url) : null;
  if (target === null) return answer(response, 400, "This is a proxy: the request needs an address with http://");
  const port = Number(target.port || 80);
  const found = await means.gate.ask(bare(target.hostname), port);
  if (incoming.socket.destroyed) return;
  if ("refusal" in found) return answer(response, 403, found.refusal);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !ofTheConnection.test(name)));
  // Node frames a body by itself only where it expects one, which it does not with GET.
  const { "transfer-encoding": framing } = incoming.headers;
  const outgoing = request({
    ...{ host: found.address, port, method, path: `${target.pathname}${target.search}`, agent: false },
    // Not the client's word: the host was checked.
    headers: { ...headers, ...(framing !== undefined && { "transfer-encoding": framing }), host: target.host },
  });
  outgoing.once("socket", means.onSocket);
  // That of the response says nothing where an answer of Node's own, as to a wrong header, was still in front.
  incoming.socket.once("close", () => outgoing.destroy());
  outgoing.once("error", (error) => answer(response, 502, error.message));
  outgoing.once("response", (reply) => {
    const kept = Object.entries(reply.headers).filter(([name]) => !ofTheConnection.test(name));
    try {
      response.writeHead(reply.statusCode ?? 502, oneLine(reply.statusMessage ?? ""), {
        ...Object.fromEntries(kept),
        connection: "close",
      });
    } catch {
      reply.destroy();
      return answer(response, 502, `The answer of ${target.host} is not HTTP.`);
    }
    reply.once("error", () => response.destroy()).pipe(response);
  });
  incoming.pipe(outgoing);
}

const ofTheConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function holdIndexOpen({ socket }: IncomingMessage, response: ServerResponse, gate: HostGate): void {
  if (socket.destroyed) return;
  socket.once("close", gate.openIndex());
  response.writeHead(200).flushHeaders();
}

function answer(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) return void response.destroy();
  const reason = oneLine(why);
  response.writeHead(status, reason, { "content-type": "text/plain", connection: "close" });
  response.end(`${reason}\n`);
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** An address of IPv6, without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ");
}
