import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

export interface Attempt {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isUpgrade?: boolean;
}

/** A request with exactly these headers: `fetch` would set its own Host. */
export async function attemptAt(
  port: number,
  { method = "GET", path, headers = {}, isUpgrade = false }: Attempt,
): Promise<number> {
  const handshake = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const sent = request({
    ...{ host: "127.0.0.1", port, method, path },
    headers: { Host: `127.0.0.1:${port}`, ...(isUpgrade ? handshake : {}), ...headers },
  });
  sent.end();
  const answered = once(sent, "response").then(([response]) => response as IncomingMessage);
  const upgraded = once(sent, "upgrade").then(([response, socket]) => {
    socket.destroy();
    return response as IncomingMessage;
  });
  const response = await Promise.race([answered, upgraded]);
  // A stream of events has no end.
  response.destroy();
  return response.statusCode ?? 0;
}

/** Headers that no client of the port sends. */
export const wrongPlaces = (port: number): readonly [string, Record<string, string>][] => [
  ["another host", { Host: `example.org:${port}` }],
  ["another port", { Host: "127.0.0.1:1" }],
  ["no port", { Host: "127.0.0.1" }],
  ["another origin", { Origin: "http://example.org" }],
  ["another origin's port", { Origin: "http://127.0.0.1:1" }],
  ["an origin without a site", { Origin: "null" }],
  ["a secure origin", { Origin: `https://127.0.0.1:${port}` }],
  ["an origin that begins like ours", { Origin: `http://127.0.0.1:${port}.example.org` }],
];
