import { isAbsolute, resolve } from "node:path";
import type { CommandContext } from "./command-context.ts";

/** A typed path, relative to the current folder. An absolute path works even when that folder is gone. */
export function typedPath(typed: string, context: Pick<CommandContext, "cwd">): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.cwd, typed);
}
