import { basename, dirname, join } from "node:path";
import { isWithin } from "../is-within.ts";
import { realIfThere, realOrSame } from "../real-path.ts";
import { pythonParts, type ShownLink } from "./python-parts.ts";

interface ShowWish {
  /** Paths that the user or Granary itself has chosen. */
  readonly trusted: readonly string[];
  /** Paths that code in a sandbox may have chosen. */
  readonly claimed: readonly string[];
  readonly write: readonly string[];
  readonly secrets: readonly string[];
  /** The user's folder, which is never shown whole: a Python may be in its `bin`. */
  readonly home: string;
  /** Hidden folders in which a user's own Python may be: then it is shown. */
  readonly mayHold: readonly string[];
  /** Folders that are shown though they are in a hidden one: exactly these, and nothing beside them. */
  readonly exactly: readonly string[];
}

/** Paths to show, without links, and without those that would open a secret: of one, around one or in one. A writable folder shows itself. */
export function shownPaths({ trusted, claimed, write, secrets, home, mayHold, exactly }: ShowWish) {
  const isWritable = (path: string): boolean => write.some((folder) => isWithin(folder, path));
  const allowed = realPaths(exactly);
  const isException = (path: string, secret: string): boolean =>
    path !== secret && isWithin(secret, path) && (mayHold.includes(secret) || allowed.includes(path));
  const chosen = realPaths(trusted).filter(
    (path) => !isWithin(path, home) && secrets.every((secret) => !touches(path, secret) || isException(path, secret)),
  );
  const pythons = realPaths(claimed)
    .filter((path) => !isWritable(path) && !isWithin(path, home) && !secrets.some((secret) => touches(path, secret)))
    .map(pythonParts);
  const show = [...new Set([...chosen, ...pythons.flatMap(({ parts }) => parts)])].filter((path) => !isWritable(path));
  const links = [...exactly.flatMap(linkAt), ...pythons.flatMap((python) => python.links)].filter(
    ({ at, to }) => show.includes(to) && !isWritable(at) && !show.some((folder) => isWithin(folder, at)),
  );
  return { show, links };
}

/** Granary's own environment has a link in front of it. */
function linkAt(path: string): readonly ShownLink[] {
  const at = join(realOrSame(dirname(path)), basename(path));
  const to = realIfThere(at);
  return to === null || to === at ? [] : [{ at, to }];
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(realIfThere))].filter((path) => path !== null);
}

function touches(path: string, secret: string): boolean {
  return isWithin(path, secret) || isWithin(secret, path);
}
