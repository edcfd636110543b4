import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "../support/environment.ts";

/** Granary's own folder, as an absolute path: `GRANARY_HOME`, else `~/.granary`. */
export function granaryHome(env: Environment): string {
  return resolve(expandHome(env.GRANARY_HOME || join("~", ".granary"), env));
}

/** A path that may begin with `~`. Shells expand it, but not inside quotes, and not in JSON. */
export function expandHome(path: string, env: Environment): string {
  return path.replace(/^~(?=$|[/\\])/, () => env.HOME || homedir());
}
