import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { HostGate } from "./host-gate.ts";

/** The path at which a program says that it installs packages, for as long as the connection lasts. */
const indexPath = "/granary/index";

/** Speaks HTTP, and CONNECT for everything else. A refusal is in the status line, which clients show. It does not listen. */
export function createProxy(gate: HostGate, onSocket: (socket: Socket) => void): Server {
  const server = createServer({ keepAliveTimeout: 1000 }, (incoming, response) => {
    void forward(incoming, response, gate).catch((error: Error) => answer(response, 502, error.message));
  });
  return server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(incoming, socket, head, gate)
      .then((upstream) => upstream && onSocket(upstream))
      .catch((error: Error) => refuse(socket, 502, error.message));
  });
}

async function tunnel(
  { url = "" }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  gate: HostGate,
): Promise<Socket | undefined> {
  const target = parsed(`tcp://${url}`);
  const port = Number(target?.port);
  if (target === null || !(port > 0)) return refuse(socket, 400, "The address needs a host and a port");
  const answer = await gate.ask(bare(target.hostname), port);
  if ("refusal" in answer) return refuse(socket, 403, answer.refusal);
  const upstream = connect(port, answer.address);
  upstream.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.once("error", (error) => refuse(socket, 502, error.message));
  upstream.once("close", () => socket.end());
  socket.once("close", () => upstream.destroy());
  return upstream;
}

function refuse(socket: Duplex, status: number, why: string): undefined {
  const reason = oneLine(why);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`);
}

async function forward(incoming: IncomingMessage, response: ServerResponse, gate: HostGate): Promise<void> {
  const { url = "", method = "GET" } = incoming;
  if (url === indexPath) return holdIndexOpen(response, gate);
  const target = url.startsWith("http://") ? parsed(url) : null;
  if (target === null) return answer(response, 400, "This is a proxy: the request needs an address with http://");
  const port = Number(target.port || 80);
  const found = await gate.ask(bare(target.hostname), port);
  if ("refusal" in found) return answer(response, 403, found.refusal);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !ofTheConnection.test(name)));
  const outgoing = request({
    ...{ host: found.address, port, method, path: `${target.pathname}${target.search}`, agent: false },
    // Not the client's word: the host was checked.
    headers: { ...headers, host: target.host },
  });
  outgoing.once("error", (error) => answer(response, 502, error.message));
  outgoing.once("response", (reply) => {
    const kept = Object.entries(reply.headers).filter(([name]) => !ofTheConnection.test(name));
    try {
      response.writeHead(reply.statusCode ?? 502, oneLine(reply.statusMessage ?? ""), Object.fromEntries(kept));
    } catch {
      reply.destroy();
      return answer(response, 502, `The answer of ${target.host} is not HTTP.`);
    }
    reply.once("error", () => response.destroy()).pipe(response);
  });
  response.once("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

const ofTheConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function holdIndexOpen(response: ServerResponse, gate: HostGate): void {
  response.once("close", gate.openIndex());
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
