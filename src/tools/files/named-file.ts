import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { requireInside } from "./roots.ts";

/** A file that a call names. */
export interface NamedFile {
  /** The path as people know it, absolute. */
  readonly path: string;
  /** The path to open. Where tools are limited to folders, it has no symbolic links in it. */
  readonly real: string;
  /** Throws when the file is outside by now: another process may have put a link in its way. */
  stillInside(): Promise<void>;
}

/** Resolves a path, which need not exist. Throws when tools are limited to folders and it is outside of them. */
export async function namedFile({ cwd, roots }: Pick<ToolContext, "cwd" | "roots">, named: string): Promise<NamedFile> {
  if (named.includes("\0")) throw new GranaryError("no-such-file", "A path cannot have a NUL character in it.");
  const path = resolve(cwd, named === "~" || named.startsWith("~/") ? join(homedir(), named.slice(1)) : named);
  if (roots === null) return { path, real: path, stillInside: async () => {} };
  const real = await requireInside(roots, path);
  return {
    path,
    real,
    async stillInside() {
      await requireInside(roots, real);
    },
  };
}
