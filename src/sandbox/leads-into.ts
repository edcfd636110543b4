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

/** Where a path may lead, in spite of code that could make links on the way. */
export interface WayThrough {
  /** The path must end in one of them: code in every sandbox that the way passes could write there itself. */
  readonly ends: readonly string[];
  readonly end: string;
  /** The link that leads out of these folders, or the folder that it was in a moment ago; null where the path ends in one of them. */
  readonly link: string | null;
}

/**
 * The way of a path through folders that code could write; null where it enters none. Code that can write a folder decides where a link
 * in it leads, so it must be able to write the end as well. One look at each step, so that the code cannot change an answer between two.
 * @param sandboxes of each, the folders that code in it can write
 */
export function wayThrough(sandboxes: readonly (readonly string[])[], path: string): WayThrough | null {
  const steps = [...stepsOf(resolve(path))];
  const end = steps.at(-1) ?? "/";
  // Code in a folder cannot replace the folder itself.
  const enters = (folder: string) => steps.some((step) => isWithin(folder, step) && (step === end || step !== folder));
  const passed = sandboxes.filter((folders) => folders.some(enters));
  if (passed.length === 0) return null;
  const mayWrite = (folders: readonly string[], place: string) => folders.some((folder) => isWithin(folder, place));
  const ends = passed.flat().filter((folder) => passed.every((folders) => mayWrite(folders, folder)));
  const closed = passed.find((folders) => !mayWrite(folders, end));
  const link = closed === undefined ? null : (linkWithin(closed, path) ?? closed.find(enters) ?? end);
  return { ends: [...new Set(ends)], end, link };
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
