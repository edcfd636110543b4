import { resolve } from "node:path";
import { realFolder } from "../../session/real-folder.ts";
import type { SharedSession } from "../../session/shared-session.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "./tool-context.ts";

/** An existing session of that name and folder, preferring one with a kernel. Never makes one. */
export function findSession(context: ToolContext, name = context.session, cwd = "."): SharedSession | null {
  const { runtime } = context;
  const typed = resolve(context.cwd, cwd);
  // Sessions of the hub have the folder that links lead to.
  const folders = [typed, realFolder(typed)];
  const found = runtime.sessions.filter(({ id }) => id === name);
  const here = found.filter((session) => folders.includes(runtime.keyOf(session)?.cwd ?? ""));
  return here.find(({ kernel }) => kernel !== null) ?? here[0] ?? null;
}

/** The same, but throws when there is none. */
export function requireSession(context: ToolContext, name = context.session, cwd = "."): SharedSession {
  const session = findSession(context, name, cwd);
  if (session !== null) return session;
  const names = [...new Set(context.runtime.sessions.map(({ id }) => id))];
  const others = names.length === 0 ? "No session was used yet." : `There are: ${names.join(", ")}.`;
  throw new GranaryError("no-session", `There is no session ${name} in ${resolve(context.cwd, cwd)}. ${others}`);
}
