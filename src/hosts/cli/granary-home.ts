import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../python/interpreter.ts";

/** Granary's own folder. */
export function granaryHome(env: Environment): string {
  return env.GRANARY_HOME || join(homedir(), ".granary");
}
