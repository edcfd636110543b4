import { lstatSync, realpathSync } from "node:fs";

/** Where each name of a secret led when this process first followed it. */
const firstPlaces = new Map<string, string>();

/**
 * Secrets without links: where their names lead now, and where they led first. A name may pass a link in a folder that code in a sandbox
 * can write: once the code has replaced the link, the next start would show what it led to.
 */
export function keptSecrets(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => [...placeNow(name), ...firstPlace(name)]))];
}

/** The name itself for a link that leads nowhere. */
function placeNow(name: string): readonly string[] {
  const place = real(name);
  if (place !== null) return [place];
  return isPresent(name) ? [name] : [];
}

function firstPlace(name: string): readonly string[] {
  const first = firstPlaces.get(name) ?? real(name);
  if (first === null) return [];
  firstPlaces.set(name, first);
  // A folder above may be a link by now.
  const place = real(first);
  return place === null ? [] : [place];
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
