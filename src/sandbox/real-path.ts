import { lstatSync, realpathSync } from "node:fs";
import { requireAbsent } from "./refuse/require-absent.ts";

/** The path that a path leads to; itself where there is nothing. */
export function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Null where there is nothing, also behind a link. Most paths that are asked for are of nothing, and the error of `realpath` takes longer than a look.
 * @param writable folders that code in a sandbox can write; throws where something in them cannot be seen
 */
export function realIfThere(path: string, writable: readonly string[] = []): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path);
  } catch (error) {
    // A link that leads nowhere or to itself, or a part of the path is a file; elsewhere, it may also not be entered.
    requireAbsent(path, error, writable);
    return null;
  }
}
