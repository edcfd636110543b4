import { isWithin } from "../../sandbox/is-within.ts";
import { keptFolder } from "../../sandbox/kept-folder.ts";
import { type WayThrough, wayThrough } from "../../sandbox/leads-into.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** Of each sandbox, the folders that code in it can write. */
export type Sandboxes = readonly (readonly string[])[];

/** Code in an earlier sandbox may have made a link on the way to a folder that becomes writable now. */
export function requireOwnWay(what: string, folder: string, known: Sandboxes): void {
  const way = wayThrough(known, folder);
  const kept = keptFolder(folder);
  // That code could write there anyway.
  if (way === null || way.ends.some((end) => isWithin(end, kept))) return;
  const problem = `${what} ${sayWay(folder, { ...way, end: kept }, earlier)}, so nothing was started.`;
  throw new GranaryError("sandbox", `${problem} Name the folder itself: ${kept}`);
}

/** The words for code that may have made a link. */
export const earlier = "code in an earlier sandbox";

interface OwnFile {
  /** As in `earlier`. */
  readonly maker: string;
  /** Whether the caller can name any other file instead. */
  readonly isNamed?: boolean;
}

/**
 * The folders that a file must be in, wherever links lead later: null, for any, where its path enters none of a sandbox. Throws where a link
 * that code may have made leads out of them already.
 */
export function foldersForFile(path: string, sandboxes: Sandboxes, { maker, isNamed = true }: OwnFile) {
  const way = wayThrough(sandboxes, path);
  if (way === null || way.link === null) return way?.ends ?? null;
  const remedy = isNamed ? ` Name the file itself: ${way.end}` : "";
  throw new GranaryError("outside-roots", `${sayWay(path, way, maker)}.${remedy}`);
}

export function sayWay(path: string, { link, end }: WayThrough, maker: string): string {
  const leads = link === path ? `is a link to ${end}` : `leads to ${end} by the link ${link}`;
  return `${path} ${leads}, which ${maker} may have made`;
}
