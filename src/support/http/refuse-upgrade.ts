import type { Duplex } from "node:stream";

export function refuseUpgrade(socket: Duplex, status: 403 | 404, message: string): void {
  const reason = status === 403 ? "Forbidden" : "Not Found";
  const body = JSON.stringify({ message });
  const length = Buffer.byteLength(body);
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}
