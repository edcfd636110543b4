import { realpathSync } from "node:fs";

/** The path that a path leads to; itself where there is nothing. */
export function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
