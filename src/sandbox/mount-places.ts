import { readFileSync } from "node:fs";
import { isWithin } from "./is-within.ts";

interface Mount {
  readonly device: string;
  /** The part of the device that is mounted; empty for all of it. */
  readonly root: string;
  readonly point: string;
}

/** Empty on macOS, which has no second mounts. */
export function mountsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

/** Where paths of this machine come from, as `/proc/self/mountinfo` says it: a device, and a path on it. */
export function mountPlaces(text = readFileSync("/proc/self/mountinfo", "utf8")): (path: string) => string {
  const mounts = parse(text);
  return (path) => {
    const { device, place } = placeOf(path, mounts);
    return `${device} ${place}`;
  };
}

/** Where else the same files are: a folder may be mounted twice, as with `mount --bind /data/home /home`. */
export function otherNames(text: string): (path: string) => readonly string[] {
  const mounts = parse(text);
  // Usually none is mounted twice.
  const twice = mounts.filter(({ device }, index) => mounts.findIndex((other) => other.device === device) !== index);
  if (twice.length === 0) return () => [];
  return (path) => {
    const { device, place } = placeOf(path, mounts);
    const names = mounts
      .filter((mount) => mount.device === device)
      .flatMap(({ root, point }) => {
        const below = point === "/" ? "" : point;
        if (isWithin(root || "/", place)) return [`${below}${place.slice(root.length)}`];
        return isWithin(place, root) ? [point] : [];
      });
    return [...new Set(names.map(asOutside))].filter((name) => name !== path);
  };
}

function parse(text: string): readonly Mount[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, , device = "", root = "", point = ""] = line.split(" ");
      return { device, root: root.replace(/\/$/, ""), point };
    });
}

function placeOf(path: string, mounts: readonly Mount[]): { readonly device: string; readonly place: string } {
  const written = asInMountinfo(path);
  // Later mounts lie over earlier ones.
  const found = mounts
    .filter(({ point }) => isWithin(point, written))
    .sort((a, b) => a.point.length - b.point.length)
    .at(-1);
  const below = found === undefined || found.point === "/" ? written : written.slice(found.point.length);
  return { device: found?.device ?? "", place: `${found?.root ?? ""}${below}` };
}

export function asInMountinfo(path: string): string {
  return path.replace(/[\\ \t\n]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`);
}

function asOutside(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
