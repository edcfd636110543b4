import { join, resolve } from "node:path";
import { homeOfAccount } from "../../support/environment.ts";
import { requireInside } from "../../support/files/roots.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";

/** A file that a call names. */
export interface NamedFile {
  /** The path as people know it, absolute. */
  readonly path: string;
  /** The path to open. Where tools are limited to folders, it has no symbolic links in it. */
  readonly real: string;
  /** The folders that the file must be in whenever it is opened: another process may put a link in its way. Null for any. */
  readonly within: readonly string[] | null;
}

/** Resolves a path, which need not exist. Throws when tools are limited to folders and it is outside of them. */
export async function namedFile({ cwd, roots }: Pick<ToolContext, "cwd" | "roots">, named: string): Promise<NamedFile> {
  if (named.includes("\0")) throw new GranaryError("no-such-file", "A path cannot have a NUL character in it.");
  const path = fullPath(cwd, named);
  return { path, real: roots === null ? path : await requireInside(roots, path), within: roots };
}

export function fullPath(cwd: string, named: string): string {
  const isInHome = named === "~" || named.startsWith("~/");
  return resolve(cwd, isInHome ? join(homeOfAccount(), named.slice(1)) : named);
}
