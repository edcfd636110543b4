import { statSync } from "node:fs";
import { mountsOfThisProcess, otherNames } from "../mount-places.ts";
import { realOrSame } from "../real-path.ts";
import { requireAbsent } from "../refuse/require-absent.ts";

/**
 * Every place of the secrets. Folders of the machine that hold everything are left as they are.
 * @param writable folders that code in a sandbox can write
 */
export function inEveryMount(secrets: readonly string[], writable: readonly string[]): readonly string[] {
  const others = otherNames(mountsOfThisProcess());
  const alone = ofEverything.map(realOrSame);
  const more = secrets
    .filter((path) => !alone.includes(path))
    .flatMap((path) => others(path).filter((name) => isThere(name, writable)));
  return [...new Set([...secrets, ...more])];
}

const ofEverything = ["/run", "/tmp", "/var/tmp"];

/** Another mount may lie over it. */
function isThere(path: string, writable: readonly string[]): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    requireAbsent(path, error, writable);
    return false;
  }
}
