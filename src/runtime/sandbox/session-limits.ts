import { resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { realFolder } from "../../session/real-folder.ts";
import { expandHome } from "../../settings/granary-home.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** The limits of a session's code. Sessions with equal limits may share tools, which act outside on behalf of the code. */
export interface SessionLimits {
  readonly sandbox: Settings["python"]["sandbox"];
  readonly network: Settings["python"]["sandboxNetwork"];
  readonly launcher: readonly string[];
  /** The folder that the sandbox is for, without links; null without a sandbox. */
  readonly base: string | null;
  /** The folders of `python.sandboxWrite`, in full. Not resolved: one inside of the base may be a link that a cell made. */
  readonly write: readonly string[];
}

/**
 * @param cwd the folder of the runtime
 * @param base the same without links
 */
export function sessionLimits(python: Settings["python"], cwd: string, base: string, env: Environment): SessionLimits {
  const { sandbox, sandboxNetwork: network, sandboxWrite, launcher } = python;
  if (sandbox === "off") return { sandbox, network, launcher, base: null, write: [] };
  const write = sandboxWrite.map((folder) => resolve(cwd, expandHome(folder, env)));
  return { sandbox, network, launcher, base, write };
}

/** The limits in the key of a session. */
export function limitsFrom(text: string): SessionLimits {
  return JSON.parse(text) as SessionLimits;
}

/**
 * Whether a folder is one that code in the sandbox may write: the code chooses folders of further sessions, and may put links on the way
 * to them.
 * @param folder not resolved again afterwards
 */
export function isInReach({ base, write }: SessionLimits, folder: string): boolean {
  if (base === null || isWithin(base, folder)) return true;
  // One inside of the base may be a link that a cell made.
  const others = write.filter((path) => !isWithin(base, path));
  return others.some((path) => isWithin(path, folder) || isWithin(realFolder(path), folder));
}

export function outOfReach(folder: string, reached: readonly (string | null)[]): GranaryError {
  const problem = `${folder} is not in ${reached.join(" or ")}, which the sandbox is for, so nothing was started.`;
  return new GranaryError("sandbox", `${problem} Start Granary in that folder, or add it to python.sandboxWrite.`);
}
