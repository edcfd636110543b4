import { existsSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Execution } from "../../session/execution/execution.ts";
import { belongsTo, LocalSession } from "../../session/local-session.ts";
import type { Session } from "../../session/session.ts";

/** The sessions behind a door: those of a runtime, or of a hub. */
export interface DoorSessions {
  /** All sessions of this process, with or without a kernel. */
  all(): readonly LocalSession[];
  folderOf(session: LocalSession): string;
  /** The cells that are still known, the oldest first. */
  executionsOf(session: LocalSession): readonly Execution[];
  /** A hold on a session: it stays, and a reset by another owner is refused unless forced. */
  hold(session: LocalSession): Session;
  /** A new session. @param folder where its kernel should start, if that exists */
  open(name: string, folder: string | null): Promise<LocalSession>;
}

/** The name of the door's clients among the owners of a session. */
export const doorOwner = "Jupyter";

export function sessionsOf(runtime: Runtime): DoorSessions {
  return {
    all: () => runtime.sessions.filter((session) => session instanceof LocalSession),
    folderOf: (session) => runtime.keyOf(session)?.cwd ?? runtime.cwd,
    executionsOf: (session) => runtime.executions.filter((execution) => belongsTo(execution, session)),
    hold(session) {
      const key = runtime.keyOf(session);
      return runtime.session(session.id, { cwd: key?.cwd, kernel: key?.kernelspec, owner: doorOwner });
    },
    async open(name, folder) {
      const { shared } = runtime.session(name, { cwd: existingFolder(runtime.cwd, folder), owner: doorOwner });
      if (!(shared instanceof LocalSession)) throw new Error("The door is for sessions of its own process.");
      return shared;
    },
  };
}

/** The folder itself, or the one of a file; a client on another machine names folders that are not here. */
function existingFolder(root: string, named: string | null): string {
  if (named === null || named === "") return root;
  const path = isAbsolute(named) ? named : resolve(root, named);
  if (isFolder(path)) return path;
  const parent = resolve(path, "..");
  return isFolder(parent) ? parent : root;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
