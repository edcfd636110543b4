import { GranaryError } from "../support/granary-error.ts";
import { realOrSame } from "./real-path.ts";

const known = new Map<string, string>();

/** A folder without links, as one look at each step of the way has found it. */
export function keepFolder(path: string): string {
  known.set(path, path);
  return path;
}

/**
 * A writable folder without links, as this process found it first: code in a sandbox around it may have put a link in its place, or
 * in that of a folder above, and the next start would make writable what the link leads to.
 */
export function keptFolder(path: string): string {
  const now = realOrSame(path);
  const before = known.get(path) ?? now;
  // By both names: the resolved one is asked for as well.
  for (const name of [path, before]) known.set(name, before);
  if (now === before) return before;
  const problem = `${path} leads to ${now} now, and led to ${before} when its sandbox was made, so nothing was started.`;
  throw new GranaryError("sandbox", `${problem} Start Granary again if you have moved the folder yourself.`);
}
