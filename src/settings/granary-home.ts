import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../support/environment.ts";

/** Granary's own folder, as an absolute path: `GRANARY_HOME`, else `~/.granary`. */
export function granaryHome(env: Environment): string {
  return resolve(expandHome(env.GRANARY_HOME || join("~", ".granary"), env));
}

/** A path that may begin with `~`. Shells expand it, but not inside quotes, and not in JSON. */
export function expandHome(path: string, env: Environment): string {
  return path.replace(/^~(?=$|[/\\])/, () => userHome(env));
}

/** A HOME that is empty or relative is as good as none: it would put files into the current folder, or into the root. */
function userHome({ HOME }: Environment): string {
  if (HOME === undefined) return homedir();
  if (isAbsolute(HOME)) return HOME;
  try {
    return userInfo().homedir;
  } catch {
    return homedir(); // a user without an entry, as in some containers
  }
}
