import type { LocalSession } from "../../session/local-session.ts";
import { realFolder } from "../../session/real-folder.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Hub } from "./hub.ts";

/** Which session a client means: a name, and its folder where the name alone is not enough. */
export interface SessionWish {
  readonly name: string;
  /** The client's own folder, which is preferred. */
  readonly folder: string;
}

/** The living session of that name: in the client's folder, else the only one. */
export function findLivingSession({ living, sessions }: Hub, { name, folder }: SessionWish): LocalSession {
  const named = living.filter(({ id }) => id === name);
  const real = realFolder(folder);
  const here = named.filter((session) => sessions.keyOf(session).cwd === real);
  const [found] = here.length > 0 ? here : named;
  if (found !== undefined && (here.length > 0 || named.length === 1)) return found;
  if (found !== undefined) {
    const folders = named.map((session) => sessions.keyOf(session).cwd).join(", ");
    throw new GranaryError("unknown-session", `Several folders have a session ${name}: ${folders}. Choose with --cwd.`);
  }
  const names = [...new Set(living.map(({ id }) => id))].join(", ");
  const others = names === "" ? "There are none." : `There are: ${names}.`;
  throw new GranaryError("unknown-session", `There is no session ${name} in the hub. ${others}`);
}
