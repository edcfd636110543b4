import { realIfThere } from "../real-path.ts";
import { inEveryMount } from "./second-mounts.ts";

/** Where each name of a secret led when this process first followed it. */
const firstPlaces = new Map<string, string>();

/**
 * Secrets without links, in every mount: where their names lead now, and where they led first. A name may pass a link in a folder that code in a sandbox
 * can write: once the code has replaced the link, the next start would show what it led to.
 * @param writable folders that code in a sandbox can write; throws where such code keeps this process from looking into them
 */
export function keptSecrets(names: readonly string[], writable: readonly string[]): readonly string[] {
  return inEveryMount([...new Set(names.flatMap((name) => placesOf(name, writable)))], writable);
}

/** None for a link that leads nowhere: there is nothing to hide, and an engine could only cover a file that it makes at the other end. */
function placesOf(name: string, writable: readonly string[]): readonly string[] {
  const now = realIfThere(name, writable);
  const first = firstPlaces.get(name) ?? now;
  if (first === null) return [];
  firstPlaces.set(name, first);
  // A folder above may be a link by now.
  const kept = first === now ? first : realIfThere(first, writable);
  return [now, kept].filter((place) => place !== null);
}
