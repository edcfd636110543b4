import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type Environment, homeOfAccount } from "../support/environment.ts";
import { GranaryError } from "../support/granary-error.ts";

/**
 * Granary's own folder, as an absolute path: `GRANARY_HOME`, else `~/.granary`.
 * @throws {GranaryError} `settings`, for a relative one: each folder that Granary is used in could bring the user's own settings
 */
export function granaryHome(env: Environment): string {
  const folder = expandHome(env.GRANARY_HOME || join("~", ".granary"), env);
  if (isAbsolute(folder)) return resolve(folder);
  const problem = `GRANARY_HOME is ${JSON.stringify(folder)}, which is another folder in each working folder.`;
  throw new GranaryError("settings", `${problem} Set it to a full path, or leave it out for ~/.granary.`);
}

/** A path that may begin with `~`. Shells expand it, but not inside quotes, and not in JSON. */
export function expandHome(path: string, env: Environment): string {
  return path.replace(/^~(?=$|[/\\])/, () => userHome(env));
}

/** A HOME that is empty or relative is as good as none: it would put files into the current folder, or into the root. */
function userHome({ HOME }: Environment): string {
  if (HOME === undefined) return homeOfAccount();
  if (isAbsolute(HOME)) return HOME;
  try {
    return userInfo().homedir;
  } catch {
    return homeOfAccount(); // a user without an entry, as in some containers
  }
}
