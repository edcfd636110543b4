import type { Hub, HubRequests } from "../../../hub/server/hub.ts";
import { createRuntime } from "../../../runtime/runtime.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import { Session } from "../../../session/session.ts";
import type { Environment } from "../../../support/environment.ts";

type ServedDoor = import("../../jupyter/serve-jupyter-door.ts").ServedDoor;

/** The folder and the environment of kernels that Jupyter's clients start: those of the first client that asked. */
interface JupyterWish {
  readonly cwd: string;
  readonly env: Environment;
}

const opened = new WeakMap<Hub, Promise<ServedDoor>>();

/** `granary hub jupyter` in the hub: the first request opens the port, which stays as long as the hub. */
export const jupyterRequests: HubRequests = (hub) => ({
  jupyter: async (wish: JupyterWish) => {
    const served = opened.get(hub) ?? open(hub, wish);
    opened.set(hub, served);
    served.catch(() => opened.delete(hub));
    return { address: (await served).address };
  },
});

async function open(hub: Hub, { cwd, env }: JupyterWish): Promise<ServedDoor> {
  const [{ doorOwner, sessionsOf }, { serveJupyterDoor }, runtime] = await Promise.all([
    import("../../jupyter/door-sessions.ts"),
    import("../../jupyter/serve-jupyter-door.ts"),
    createRuntime({ cwd, env, sessions: hub.sessions }),
  ]);
  const served = await serveJupyterDoor({
    sessions: { ...sessionsOf(runtime), hold: (session) => joined(hub, session, doorOwner) },
    version: hub.options.version,
    onError: (error) => hub.options.log(`jupyter: ${error instanceof Error ? error.message : error}`),
  });
  hub.options.log(`jupyter: listening on port ${served.port}`);
  void hub.closed.then(() => served.close());
  return served;
}

/** A hold on a session as it is: its clients chose its Python and its settings. */
function joined(hub: Hub, session: LocalSession, owner: string): Session {
  const { owners, pool } = hub.sessions;
  return new Session(session, {
    owner,
    label: owner,
    seen: owners.add(session, owner, { keeps: true }),
    backgroundMs: hub.options.settings.python.backgroundHours * 3_600_000,
    others: () => owners.othersThan(owner, session),
    firstNotice: () => null,
    leave: async ({ ends }) => {
      if (owners.remove(session, owner, { ends })) await pool.remove(session);
    },
  });
}
