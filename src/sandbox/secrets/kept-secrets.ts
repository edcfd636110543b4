import { realIfThere } from "../real-path.ts";

/** Where each name of a secret led when this process first followed it. */
const firstPlaces = new Map<string, string>();

/**
 * Secrets without links: where their names lead now, and where they led first. A name may pass a link in a folder that code in a sandbox
 * can write: once the code has replaced the link, the next start would show what it led to.
 */
export function keptSecrets(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap(placesOf))];
}

/** None for a link that leads nowhere: there is nothing to hide, and an engine could only cover a file that it makes at the other end. */
function placesOf(name: string): readonly string[] {
  const now = realIfThere(name);
  const first = firstPlaces.get(name) ?? now;
  if (first === null) return [];
  firstPlaces.set(name, first);
  // A folder above may be a link by now.
  const kept = first === now ? first : realIfThere(first);
  return [now, kept].filter((place) => place !== null);
}
