import { holdSession } from "../../../../hub/server/hold-session.ts";
import type { Hub, HubRequests } from "../../../../hub/server/hub.ts";
import { createRuntime, type Runtime } from "../../../../runtime/runtime.ts";
import { belongsTo } from "../../../../session/local-session.ts";
import { hubPort } from "./hub-port.ts";
import type { SiteWish } from "./site-address.ts";

type DoorSessions = import("../../../jupyter/door-sessions.ts").DoorSessions;

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

async function open(hub: Hub, wish: SiteWish): Promise<string> {
  const [sessions, { mountJupyterDoor }, port] = await Promise.all([
    sessionsOfHub(hub, wish),
    import("../../../jupyter/mount-jupyter-door.ts"),
    hubPort(hub),
  ]);
  const { address } = mountJupyterDoor(port, {
    sessions,
    version: hub.options.version,
    onError: (error) => hub.options.log(`jupyter: ${error instanceof Error ? error.message : error}`),
  });
  return address;
}

async function sessionsOfHub(hub: Hub, wish: SiteWish): Promise<DoorSessions> {
  const { doorOwner, sessionsOf } = await import("../../../jupyter/door-sessions.ts");
  const runtimes = new CurrentRuntime(hub, wish);
  // Wrong settings are reported to the client, not to its editor.
  await runtimes.get();
  const { sessions } = hub;
  return {
    all: () => sessions.all,
    folderOf: (session) => sessions.keyOf(session).cwd,
    executionsOf: (session) => sessions.pool.executions.all.filter((execution) => belongsTo(execution, session)),
    hold: (session) => holdSession(hub, session, doorOwner),
    open: async (name, folder) => sessionsOf(await runtimes.get()).open(name, folder),
  };
}

/** The runtime for new kernels. Settings may change while the hub runs, and a sandbox that the user turns on counts from then on. */
class CurrentRuntime {
  readonly #hub: Hub;
  readonly #wish: SiteWish;
  /** By their settings. Kernels of a session restart with the runtime that started them. */
  readonly #all = new Map<string, Runtime>();

  constructor(hub: Hub, wish: SiteWish) {
    this.#hub = hub;
    this.#wish = wish;
  }

  async get(): Promise<Runtime> {
    const { cwd, env } = this.#wish;
    const fresh = await createRuntime({ cwd, env, sessions: this.#hub.sessions });
    const settings = JSON.stringify(fresh.settings);
    const known = this.#all.get(settings);
    if (known === undefined) this.#all.set(settings, fresh);
    else await fresh.close();
    return known ?? fresh;
  }
}
