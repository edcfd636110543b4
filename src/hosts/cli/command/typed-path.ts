import { isAbsolute, resolve } from "node:path";
import type { Surroundings } from "./command-context.ts";

/** The path that somebody typed, seen from where they typed it. A full one does without that folder, which may be gone. */
export function typedPath(typed: string, surroundings: Pick<Surroundings, "cwd">): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(surroundings.cwd, typed);
}
