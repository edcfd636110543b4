import type { LocalSession } from "../../session/local-session.ts";
import { Session } from "../../session/session.ts";
import type { Hub } from "./hub.ts";

/** A hold on a session as it is: its clients chose its Python and its settings. @param owner the name for people */
export function holdSession(hub: Hub, session: LocalSession, owner: string): Session {
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
