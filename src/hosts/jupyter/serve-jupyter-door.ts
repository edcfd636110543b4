import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loopbackHosts } from "../../support/http/foreign-request.ts";
import type { DoorSessions } from "./door-sessions.ts";
import { JupyterDoor } from "./jupyter-door.ts";

export interface ServeDoorOptions {
  readonly sessions: DoorSessions;
  readonly version: string;
  /** 0 for any free port. */
  readonly port?: number | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface ServedDoor {
  /** `http://127.0.0.1:port/?token=…`: the address that editors take. */
  readonly address: string;
  readonly port: number;
  readonly token: string;
  readonly door: JupyterDoor;
  close(): Promise<void>;
}

/** Opens a door on a loopback port of its own, with a fresh token. */
export async function serveJupyterDoor(options: ServeDoorOptions): Promise<ServedDoor> {
  const server = createServer();
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const token = randomBytes(24).toString("hex");
  const door = new JupyterDoor({ ...options, hosts: loopbackHosts(port), token });
  server.on("request", door.handle);
  server.on("upgrade", door.upgrade);
  // A connection that cannot be accepted, as when descriptors run out, affects only its own client.
  server.on("error", (error) => options.onError?.(error));
  return {
    address: `http://127.0.0.1:${port}/?token=${token}`,
    port,
    token,
    door,
    async close() {
      const closed = once(server, "close");
      server.close();
      await door.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
