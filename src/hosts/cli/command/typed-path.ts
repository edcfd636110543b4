import { isAbsolute, resolve } from "node:path";
import type { CommandContext } from "./command-context.ts";

/** The path that somebody typed, seen from where they typed it. A full one does without that folder, which may be gone. */
export function typedPath(typed: string, context: Pick<CommandContext, "cwd">): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.cwd, typed);
}
