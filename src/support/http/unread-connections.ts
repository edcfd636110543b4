import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A client that has not taken a byte for so long will not. */
const usualMs = 60_000;
const looks = 4;

/**
 * Closes connections whose client never reads: what is sent to such a client stays in memory, and a cell may wait for it. A
 * slow client that reads anything at all keeps its connection, and so does a silent one that has nothing to read.
 */
export function cutUnreadConnections(server: Server, afterMs = usualMs): void {
  const connections = new Map<Socket, Reading>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, { taken: 0, looks: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  const look = (): void => {
    for (const [socket, seen] of connections) {
      const taken = socket.bytesWritten - socket.writableLength;
      const isStuck = socket.writableLength > 0 && taken === seen.taken;
      const next = { taken, looks: isStuck ? seen.looks + 1 : 0 };
      connections.set(socket, next);
      if (next.looks >= looks) socket.destroy();
    }
  };
  const timer = setInterval(look, afterMs / looks).unref();
  server.once("close", () => clearInterval(timer));
}

interface Reading {
  /** Bytes that the client's system has taken. */
  readonly taken: number;
  /** How often nothing had changed since. */
  readonly looks: number;
}
