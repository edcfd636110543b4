import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { SocketType } from "../../../../src/kernel/zmq/zmtp/commands.ts";
import { type Endpoint, ZmtpSocket } from "../../../../src/kernel/zmq/zmtp/socket.ts";
import type { GranaryError } from "../../../../src/support/granary-error.ts";
import { nodeEnvironment } from "../../../environment/nodes.ts";
import { environment } from "../../../environment/pythons.ts";
import { until } from "../../until.ts";

export interface Peer extends AsyncDisposable {
  readonly endpoint: Endpoint;
}

/** How to start a peer, up to its kind and endpoint. */
export type PeerCommand = readonly string[];

/** libzmq in Python and in Node; a reason in place of a missing one. */
export const libzmqs: readonly (readonly [name: string, command: PeerCommand | { readonly missing: string }])[] = [
  ["pyzmq", inPython(environment("main"))],
  ["npm's zeromq", inNode(nodeEnvironment("zeromq"))],
];

function inPython(found: ReturnType<typeof environment>): PeerCommand | { readonly missing: string } {
  return "missing" in found ? found : [found.python, beside("peer.py")];
}

function inNode(found: ReturnType<typeof nodeEnvironment>): PeerCommand | { readonly missing: string } {
  return "missing" in found ? found : [process.execPath, beside("npm-peer.mjs"), found.folder];
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** A socket of libzmq in a separate process. A ROUTER and a REP echo; an XPUB publishes after a subscription. */
export async function startPeer(
  [command = "", ...args]: PeerCommand,
  kind: "ROUTER" | "REP" | "XPUB",
  endpoint: string,
): Promise<Peer> {
  const child = spawn(command, [...args, kind, endpoint], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [said] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    exited.then(() => Promise.reject(new Error("The peer did not start."))),
  ]);
  const address = String(said).trim();
  return {
    endpoint: address.startsWith("ipc://")
      ? { path: address.slice("ipc://".length) }
      : { host: "127.0.0.1", port: Number(address.split(":").at(-1)) },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exited;
    },
  };
}

/** A server on a port of its own, for peers that misbehave and for networks that do. */
export async function serve(onConnection: (socket: Socket) => void): Promise<Peer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Our end, and all that happened to it. */
export class Client implements Disposable {
  readonly messages: string[][] = [];
  readonly sizes: number[] = [];
  readonly ups: boolean[] = [];
  readonly socket: ZmtpSocket;
  error: GranaryError | undefined;

  constructor(type: SocketType, endpoint: Endpoint, options: { identity?: string; messageLimit?: number } = {}) {
    this.socket = new ZmtpSocket({
      type,
      endpoint,
      ...options,
      onMessage: (frames) => {
        this.sizes.push(frames.reduce((sum, frame) => sum + frame.length, 0));
        this.messages.push(frames.map((frame) => frame.toString("latin1", 0, 1000)));
      },
      onUp: (again) => this.ups.push(again),
      onFailed: (error) => (this.error = error),
    });
  }

  send(...frames: string[]): void {
    this.socket.send(frames.map((frame) => Buffer.from(frame, "latin1")));
  }

  /** Waits until so many messages have come. */
  async has(count: number): Promise<readonly string[][]> {
    await until(`${count} messages have come`, () => this.messages.length >= count || this.error !== undefined);
    if (this.error) throw this.error;
    return this.messages;
  }

  async failure(): Promise<string> {
    await until("the peer is refused", () => this.error !== undefined);
    return this.error?.message ?? "";
  }

  [Symbol.dispose](): void {
    this.socket.close();
  }
}
