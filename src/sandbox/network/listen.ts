import { createServer, type Socket } from "node:net";
import type { HostGate } from "./host-gate.ts";

/** The way of programs in a sandbox to hosts outside. */
export interface SandboxNetwork {
  /** Ends all connections. */
  close(): void;
}

const mostConnections = 200;

/** Listens on a unix socket in a folder that the programs see. The proxy behind it loads with the first connection. */
export async function listenForSandbox(socketPath: string, gate: HostGate): Promise<SandboxNetwork> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    // A sandbox without a running cell must not keep this process alive.
    socket.unref();
  };
  let proxy: Promise<{ emit(event: "connection", socket: Socket): unknown }> | undefined;
  const server = createServer((socket) => {
    keep(socket);
    proxy ??= import("./proxy.ts").then(({ createProxy }) => createProxy(gate, keep));
    void proxy.then((found) => socket.destroyed || found.emit("connection", socket));
  });
  // A cell must not use up the descriptors of this process.
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socketPath, resolve));
  server.unref();
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
