import { lstatSync, realpathSync } from "node:fs";

/** Where each name of a secret led when this process first followed it. */
const firstPlaces = new Map<string, string>();

/**
 * Secrets without links: where their names lead now, and where they led first. A name may pass a link in a folder that code in a sandbox
 * can write: once the code has replaced the link, the next start would show what it led to.
 */
export function keptSecrets(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap(placesOf))];
}

/** Nearly all names of secrets are of nothing, and the error of `realpath` takes longer than a look. */
function placesOf(name: string): readonly string[] {
  const isThere = isPresent(name);
  const now = isThere ? real(name) : null;
  const first = firstPlaces.get(name) ?? now;
  // The name itself for a link that leads nowhere.
  const places = isThere ? [now ?? name] : [];
  if (first === null) return places;
  firstPlaces.set(name, first);
  // A folder above may be a link by now.
  const kept = first === now ? first : real(first);
  return kept === null ? places : [...places, kept];
}

function real(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the path is a file, or may not be entered.
    return false;
  }
}
