import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { GranaryError } from "../granary-error.ts";
import { systemReason } from "./system-reason.ts";

/**
 * The folders without links, which need not exist yet. Resolve them once, before any code runs that may write in them: such code
 * could replace a folder by a link, and a later look would allow the folder that the link leads to.
 */
export async function realRoots(roots: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(roots.map((root) => (isException(root) ? root : resolveLinks(root))));
  typedNames.set(real, roots);
  return real;
}

/** Roots as the user knows them, for messages. */
const typedNames = new WeakMap<readonly string[], readonly string[]>();

/**
 * Throws unless a path is in one of the folders after resolving symbolic links; it need not exist yet.
 * @param roots as `realRoots` returned them. One that begins with `!` is a path inside of the others that is not allowed
 * @returns the path without links
 */
export async function requireInside(roots: readonly string[], path: string): Promise<string> {
  const real = await resolveLinks(path);
  requireRealInside(roots, path, real);
  return real;
}

/** The same for a path that the system reported, which has no links in it. */
export function requireRealInside(roots: readonly string[], path: string, real: string): void {
  const allowed = roots.filter((root) => !isException(root));
  if (!allowed.some((root) => isInside(root, real))) {
    throw outsideRoots(typedNames.get(roots) ?? allowed, path, real, roots.some(isException));
  }
  // By both names: a link may be protected, and so may what it leads to.
  const names = [resolve(path), real];
  const exception = roots.filter(isException).find((root) => names.some((name) => isInside(root.slice(1), name)));
  if (exception === undefined) return;
  const sentence = `${path} is protected: the sandbox (python.sandbox) keeps tools away from ${exception.slice(1)}.`;
  throw new GranaryError("outside-roots", sentence);
}

function isException(root: string): boolean {
  return root.startsWith("!");
}

/** @param bySandbox whether the roots are those of a sandbox, which always has exceptions */
function outsideRoots(roots: readonly string[], path: string, real: string, bySandbox: boolean): GranaryError {
  const leads = real === path ? "" : ` leads to ${real} and`;
  // Code may have made a link in the roots, to have that folder added.
  const remedy = roots.some((root) => isInside(root, resolve(path))) ? "" : "; python.sandboxWrite adds folders";
  const why = bySandbox ? ` by the sandbox (python.sandbox)${remedy}` : "";
  return new GranaryError(
    "outside-roots",
    `${path}${leads} is not in ${[...new Set(roots)].join(" or ")}, and no other folder is allowed${why}.`,
  );
}

/** More than any file system follows. */
const mostLinks = 40;

/** Like `realpath`, but missing parts of the path stay unchanged. */
async function resolveLinks(path: string, links = 0): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new GranaryError("not-allowed", `${path} cannot be resolved: ${systemReason(error)}.`);
  });
  if (real !== null) return real;
  // A dangling link: a write there would create its target.
  const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink();
  if (isLink && links < mostLinks) return resolveLinks(resolve(dirname(path), await readlink(path)), links + 1);
  const folder = dirname(path);
  return folder === path ? path : join(await resolveLinks(folder, links), basename(path));
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
