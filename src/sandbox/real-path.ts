import { lstatSync, realpathSync } from "node:fs";

/** The path that a path leads to; itself where there is nothing. */
export function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Null where there is nothing, also behind a link. Most paths that are asked for are of nothing, and the error of `realpath` takes longer than a look. */
export function realIfThere(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path);
  } catch {
    // A link that leads nowhere or to itself; or a part of the path is a file, or may not be entered.
    return null;
  }
}
