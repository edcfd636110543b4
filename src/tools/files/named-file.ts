import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { requireInside } from "./roots.ts";

/** A file that a call names. */
export interface NamedFile {
  /** As people know it, absolute. */
  readonly path: string;
  /** What is opened. Where tools are limited to folders, it has no symbolic links in it. */
  readonly real: string;
  /** Throws when it is outside by now: somebody may have put a link in its way. */
  stillInside(): Promise<void>;
}

/** Where the file is, which need not exist. Throws when tools are limited to folders and it is in none of them. */
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
