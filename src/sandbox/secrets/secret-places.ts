import { accessSync, constants, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../is-within.ts";
import { realOrSame } from "../real-path.ts";

/**
 * Places, without links, where secrets are, may appear or may be replaced while programs run. Of folders above that are not there
 * yet, the topmost counts. A file that this user may not read needs no place.
 * @param present secrets that are there, without links
 */
export function secretPlaces(names: readonly string[], present: readonly string[]): readonly string[] {
  const missing = new Map<string, string | null>();
  const absent = [...new Set(names.map((name) => missingPart(name, missing)).filter((path) => path !== null))]
    .map((path) => join(realOrSame(dirname(path)), basename(path)))
    .filter((path) => !present.some((folder) => isWithin(folder, path)));
  return [...present.filter(isReadable), ...absent];
}

/** The topmost part of a path that is not there; null if all are. Many paths have the same folders above. */
function missingPart(path: string, known: Map<string, string | null>): string | null {
  const before = known.get(path);
  if (before !== undefined) return before;
  const found = isPresent(path) ? null : (missingPart(dirname(path), known) ?? path);
  known.set(path, found);
  return found;
}

function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the path is a file, or may not be entered: nothing can appear there, or nothing can be read.
    return true;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
