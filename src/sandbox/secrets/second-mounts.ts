import { readFileSync, statSync } from "node:fs";
import { otherNames } from "../mount-places.ts";

/** Every place of the secrets. Folders of the machine that hold everything, such as `/tmp`, are left as they are. */
export function inEveryMount(secrets: readonly string[], alone: readonly string[]): readonly string[] {
  const others = otherNames(mountsOfThisProcess());
  const more = secrets.filter((path) => !alone.includes(path)).flatMap((path) => others(path).filter(isThere));
  return [...new Set([...secrets, ...more])];
}

/** Another mount may lie over it. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Empty on macOS, which has no second mounts. */
function mountsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}
