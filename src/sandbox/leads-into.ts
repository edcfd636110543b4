import { lstatSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "./is-within.ts";

/** More than any file system follows. */
const mostLinks = 40;

/**
 * Whether a path is in one of the folders, or passes through one: a link there decides where the path leads, also after a
 * check. The folders are without links.
 */
export function leadsInto(folders: readonly string[], path: string): boolean {
  return [...stepsOf(resolve(path))].some((step) => folders.some((folder) => isWithin(folder, step)));
}

/** The first link in one of the folders that the path passes through; null where there is none. */
export function linkWithin(folders: readonly string[], path: string): string | null {
  const links = [...stepsOf(resolve(path))].filter((step) => linkAt(step) !== null);
  return links.find((link) => folders.some((folder) => isWithin(folder, link))) ?? null;
}

/**
 * The folder that a path must end in, because code that may write there decides where the path leads from then on; null where it enters
 * none. A link counts for the innermost folder around it: code there cannot lead into a folder around its own. One look at each step,
 * so that the code cannot change an answer between two.
 */
export function entered(folders: readonly string[], path: string): string | null {
  const steps = [...stepsOf(resolve(path))];
  let place: string | null = null;
  for (const [index, step] of steps.entries()) {
    const isEnd = index === steps.length - 1;
    // Code in a folder cannot replace the folder itself.
    const inner = innermost(folders.filter((folder) => isWithin(folder, step) && (isEnd || folder !== step)));
    if (inner !== null && (place === null || isWithin(place, inner))) place = inner;
  }
  return place;
}

/** Of folders that lie in each other. */
function innermost(folders: readonly string[]): string | null {
  return folders.reduce<string | null>((inner, one) => (inner === null || isWithin(inner, one) ? one : inner), null);
}

/** The folders that are in no other of them. */
export function outermost(folders: readonly string[]): readonly string[] {
  return folders.filter((one) => folders.every((other) => other === one || !isWithin(other, one)));
}

/** Where a path leads in the end, also where nothing is there. */
export function endOf(path: string): string {
  return [...stepsOf(resolve(path))].at(-1) ?? "/";
}

/** Every place that the system visits on the way, links among them. */
export function* stepsOf(path: string): Generator<string> {
  const rest = path.split("/").filter(isName);
  let place = "/";
  for (let links = 0; rest.length > 0 && links <= mostLinks; ) {
    const name = rest.shift() as string;
    const next = name === ".." ? dirname(place) : join(place, name);
    yield next;
    const target = linkAt(next);
    if (target === null) {
      place = next;
      continue;
    }
    links++;
    if (isAbsolute(target)) place = "/";
    rest.unshift(...target.split("/").filter(isName));
  }
}

function isName(part: string): boolean {
  return part !== "" && part !== ".";
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
