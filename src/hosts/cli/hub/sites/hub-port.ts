import type { Hub } from "../../../../hub/server/hub.ts";
import { LoopbackPort } from "../../../../support/http/loopback-port.ts";

const ports = new WeakMap<Hub, Promise<LoopbackPort>>();

/** The hub's one HTTP port, for the page and for Jupyter's clients. It stays as long as the hub. */
export function hubPort(hub: Hub): Promise<LoopbackPort> {
  const port = ports.get(hub) ?? open(hub);
  ports.set(hub, port);
  port.catch(() => ports.delete(hub));
  return port;
}

async function open(hub: Hub): Promise<LoopbackPort> {
  const port = await LoopbackPort.open({ onError: (error) => hub.options.log(`port: ${String(error)}`) });
  hub.options.log(`port: listening on ${port.port}`);
  void hub.closed.then(() => port.close());
  return port;
}
