import { basename, dirname, join } from "node:path";
import { isWithin } from "../is-within.ts";
import { realIfThere, realOrSame } from "../real-path.ts";
import { linksOnTheWay } from "./links-on-the-way.ts";
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
  const own = exactly.map((path) => join(realOrSame(dirname(path)), basename(path)));
  const isHidden = ({ at }: ShownLink): boolean => secrets.some((secret) => isWithin(secret, at) && !own.includes(at));
  const isOfPrivate = ({ at }: ShownLink): boolean => mayHold.some((folder) => isWithin(folder, at));
  const links = [
    ...[...exactly, ...trusted].flatMap(linksOnTheWay).filter((link) => isOfPrivate(link) || !isHidden(link)),
    ...claimed.flatMap(linksOnTheWay).filter((link) => !isHidden(link)),
    ...pythons.flatMap((python) => python.links),
  ].filter(
    ({ at, to }) =>
      leadsTo(show, to) && !isWritable(at) && !isOfKernel(at) && !show.some((folder) => isWithin(folder, at)),
  );
  return { show, links: onePerPlace(links) };
}

/** The kernel makes these for each process, and no mount can. */
function isOfKernel(path: string): boolean {
  return ["/proc", "/dev"].some((folder) => isWithin(folder, path));
}

/** A link opens nothing, and one that leads elsewhere says only where. */
function leadsTo(show: readonly string[], to: string): boolean {
  return show.some((path) => isWithin(path, to) || isWithin(to, path));
}

function onePerPlace(links: readonly ShownLink[]): readonly ShownLink[] {
  return [...new Map(links.map((link) => [link.at, link])).values()];
}

function realPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => realIfThere(path)))].filter((path) => path !== null);
}

function touches(path: string, secret: string): boolean {
  return isWithin(path, secret) || isWithin(secret, path);
}
