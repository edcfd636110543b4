import { lstatSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "../is-within.ts";
import { endOf } from "../leads-into.ts";
import { realIfThere, realOrSame } from "../real-path.ts";
import { isUsable } from "./is-usable.ts";

/**
 * Places, without links, where secrets are, may appear or may be replaced while programs run. Of folders above that are not there
 * yet, the topmost counts. A file that this user cannot use needs no place.
 * @param present secrets that are there, without links
 */
export function secretPlaces(names: readonly string[], present: readonly string[]): readonly string[] {
  const missing = new Map<string, string | null>();
  const missingParts = [...new Set(names.map((name) => missingPart(name, missing)).filter((path) => path !== null))];
  // Nearly all of them are in a few folders.
  const folders = [...new Set(missingParts.map((path) => dirname(path)))];
  const visible = folders
    .map((folder) => [folder, realOrSame(folder)] as const)
    .filter(([, real]) => !present.some((secret) => isWithin(secret, real)));
  const absent = visible.flatMap(([folder, real]) =>
    missingParts.filter((path) => dirname(path) === folder).map((path) => join(real, basename(path))),
  );
  return [...present.filter(isUsable), ...absent];
}

/**
 * The topmost part of a path that is not there; null if all are. Many paths have the same folders above. Of a link that leads nowhere,
 * the part at its other end counts.
 */
function missingPart(path: string, known: Map<string, string | null>): string | null {
  const before = known.get(path);
  if (before !== undefined) return before;
  // Also for a link that leads back to here.
  known.set(path, null);
  const stats = look(path);
  const found = stats === null ? (missingPart(dirname(path), known) ?? path) : missingBehind(path, stats, known);
  known.set(path, found);
  return found;
}

function missingBehind(path: string, stats: Stats | "unknown", known: Map<string, string | null>): string | null {
  const leadsNowhere = stats !== "unknown" && stats.isSymbolicLink() && realIfThere(path) === null;
  return leadsNowhere ? missingPart(endOf(path), known) : null;
}

/** Null where there is nothing. */
function look(path: string): Stats | "unknown" | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // A part of the path is a file, or may not be entered: nothing can appear there, or nothing can be read.
    return "unknown";
  }
}
