import type { Runtime } from "../../runtime/runtime.ts";
import { realFolder } from "../../session/real-folder.ts";
import type { SharedSession } from "../../session/shared-session.ts";
import { sayAge } from "../../support/say-time.ts";
import { describeSession } from "./describe-session.ts";
import type { Hub } from "./hub.ts";

const mostNamed = 5;

/**
 * Call it before a tool runs; the function that it returns, after that. It has a sentence when the call made a session whose name
 * another folder has as well: the agent may have meant that one.
 */
export function watchMadeSession(hub: Hub, name: string, folder: string): () => string | null {
  const here = realFolder(folder);
  const folders = (): readonly string[] =>
    hub.living.filter(({ id }) => id === name).map((session) => hub.sessions.keyOf(session).cwd);
  const others = folders().includes(here) ? [] : folders();
  return () => {
    const [first, ...more] = others;
    if (first === undefined || !folders().includes(here)) return null;
    const where = more.length === 0 ? "Another one of that name is" : "Others of that name are";
    const join = JSON.stringify({ session: name, cwd: first });
    return `Note: The session ${name} of ${here} is new. ${where} in ${others.join(", ")}; to join ${more.length === 0 ? "it" : "one"}: ${join}`;
  };
}

/** A sentence that names the other sessions of the folder that are still alive; null when there are none. */
export function livingBeside(
  hub: Hub,
  { besides, cwd, runtime }: { readonly besides: readonly string[]; readonly cwd: string; readonly runtime: Runtime },
): string | null {
  const here = realFolder(cwd);
  const inReach = new Set<SharedSession>(runtime.sessions);
  const facts = hub.living
    .filter((living) => inReach.has(living))
    .map((living) => describeSession(living, hub.sessions))
    .filter(({ name, folder, cells }) => folder === here && !besides.includes(name) && cells > 0)
    .sort((one, other) => other.lastUse - one.lastUse);
  if (facts.length === 0) return null;
  const named = facts.slice(0, mostNamed).map(({ name, lastUse, lastCell, state }) => {
    const age = state === "busy" ? "busy" : `used ${sayAge(Date.now() - lastUse)} ago`;
    return `${name} (${age}, last cell: ${lastCell ?? ""})`;
  });
  const more = facts.length > mostNamed ? `, and ${facts.length - mostNamed} more` : "";
  return `Sessions of this folder that are still alive: ${named.join(", ")}${more}. To join one, name it: {"session": "${facts[0]?.name}"}`;
}
