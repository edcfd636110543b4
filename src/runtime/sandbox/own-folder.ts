import { join } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { keepFolder } from "../../sandbox/kept-folder.ts";
import { linkWithin, wayThrough } from "../../sandbox/leads-into.ts";
import { realFolder } from "../../session/real-folder.ts";
import { knownSandboxes } from "../../support/files/foreign/known-places.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { earlier, type Sandboxes, sayWay } from "./own-way.ts";

/** The folder of a sandbox, without links. */
export interface FoundFolder {
  readonly base: string;
  /** Set if code may have led it elsewhere. */
  readonly astray?: GranaryError | undefined;
}

/** @param home Granary's own folder, which has the record of sandboxes */
export function ownFolders(home: string): FindFolder {
  return (path, followsLinks) => findOwnFolder(path, knownSandboxes(home), followsLinks);
}

/** @param followsLinks false where the name is not kept, by which the limits of the folders around a link count */
export type FindFolder = (path: string, followsLinks?: boolean) => FoundFolder;

/**
 * The folder that a path leads to, found once: code in a sandbox around it may exchange it for a link at any moment, and all that
 * comes later must mean the same folder.
 */
export function findOwnFolder(path: string, known: Sandboxes, followsLinks = true): FoundFolder {
  const way = wayThrough(known, path);
  if (way === null) return { base: realFolder(path) };
  const link = way.link ?? (followsLinks ? null : linkBetween(known.flat(), path, way.end));
  if (link === null) return { base: keepFolder(way.end) };
  const problem = `The working folder ${sayWay(path, { ...way, link }, earlier)}, so nothing was started.`;
  return {
    base: way.end,
    astray: new GranaryError("sandbox", `${problem} Name the folder itself: ${way.end}`),
  };
}

/** A link from one of the folders to another, whose limits may be others. */
function linkBetween(folders: readonly string[], path: string, end: string): string | null {
  const link = linkWithin(folders, path);
  const isOfOne = folders.some((folder) => link !== null && isWithin(folder, link) && isWithin(folder, end));
  return isOfOne ? null : link;
}

/**
 * Throws for caches and private files of sandboxes, to which code may have led the folder: its limits are those of another folder, and
 * do not count here.
 * @param real the folder without links
 * @param home Granary's own folder
 */
export function requireNoSandboxFiles(folder: string, real: string, home: string): void {
  if (!isWithin(join(realFolder(home), "sandbox"), real) && !real.split("/").some(isPrivate)) return;
  const leads = folder === real ? "" : `${folder} leads to ${real}. `;
  const problem = `${leads}Sandboxes keep files of their own there, which code in them writes, so nothing was started.`;
  throw new GranaryError("sandbox", `${problem} Work in another folder than ${real}.`);
}

function isPrivate(name: string): boolean {
  return /^granary-sandbox-\d+-\d+-[^-]+$/.test(name);
}
