import { existsSync } from "node:fs";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { CommandContext } from "../command/command-context.ts";

/** Whether the console is about to open for the first time. A run that keeps something makes Granary's folder. */
export function isFirstRun({ env, isTerminal }: CommandContext): boolean {
  return isTerminal("stdout") && env.TERM !== "dumb" && !existsSync(granaryHome(env));
}
