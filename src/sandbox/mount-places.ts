import { readFileSync } from "node:fs";
import { isWithin } from "./is-within.ts";

/** Where paths of this machine come from, as `/proc/self/mountinfo` says it: a device, and a path on it. */
export function mountPlaces(text = readFileSync("/proc/self/mountinfo", "utf8")): (path: string) => string {
  const mounts = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, , device = "", root = "", point = ""] = line.split(" ");
      return { device, root: root.replace(/\/$/, ""), point };
    });
  return (path) => {
    const written = asInMountinfo(path);
    // Later mounts lie over earlier ones.
    const found = mounts
      .filter(({ point }) => isWithin(point, written))
      .sort((a, b) => a.point.length - b.point.length)
      .at(-1);
    const below = found === undefined || found.point === "/" ? written : written.slice(found.point.length);
    return `${found?.device ?? ""} ${found?.root ?? ""}${below}`;
  };
}

export function asInMountinfo(path: string): string {
  return path.replace(/[\\ \t\n]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
