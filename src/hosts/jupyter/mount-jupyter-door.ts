import { randomBytes } from "node:crypto";
import type { LoopbackPort } from "../../support/http/loopback-port.ts";
import { JupyterDoor, type JupyterDoorOptions } from "./jupyter-door.ts";

export interface MountedDoor {
  /** `http://127.0.0.1:port/?token=…`: the address that editors take. */
  readonly address: string;
  readonly token: string;
  readonly door: JupyterDoor;
}

/** A door on a port, with a fresh token. It answers at all paths that no other site has. */
export function mountJupyterDoor(port: LoopbackPort, options: Omit<JupyterDoorOptions, "token">): MountedDoor {
  const token = randomBytes(24).toString("hex");
  const door = new JupyterDoor({ ...options, token });
  port.mount("", door);
  return { address: `http://127.0.0.1:${port.port}/?token=${token}`, token, door };
}
