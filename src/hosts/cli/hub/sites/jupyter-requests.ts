import { holdSession } from "../../../../hub/server/hold-session.ts";
import type { Hub, HubRequests } from "../../../../hub/server/hub.ts";
import { createRuntime } from "../../../../runtime/runtime.ts";
import { hubPort } from "./hub-port.ts";
import type { SiteWish } from "./site-address.ts";

const addresses = new WeakMap<Hub, Promise<string>>();

/** `granary hub jupyter` in the hub. Kernels that editors start have the folder and the environment of the first client. */
export const jupyterRequests: HubRequests = (hub) => ({
  jupyter: async (wish: SiteWish) => {
    const address = addresses.get(hub) ?? open(hub, wish);
    addresses.set(hub, address);
    address.catch(() => addresses.delete(hub));
    return { address: await address };
  },
});

async function open(hub: Hub, { cwd, env }: SiteWish): Promise<string> {
  const [{ doorOwner, sessionsOf }, { mountJupyterDoor }, port, runtime] = await Promise.all([
    import("../../../jupyter/door-sessions.ts"),
    import("../../../jupyter/mount-jupyter-door.ts"),
    hubPort(hub),
    createRuntime({ cwd, env, sessions: hub.sessions }),
  ]);
  const { address } = mountJupyterDoor(port, {
    sessions: { ...sessionsOf(runtime), hold: (session) => holdSession(hub, session, doorOwner) },
    version: hub.options.version,
    onError: (error) => hub.options.log(`jupyter: ${error instanceof Error ? error.message : error}`),
  });
  return address;
}
