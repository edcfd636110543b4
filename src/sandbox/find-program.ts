import { accessSync, closeSync, constants, openSync, readSync, realpathSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../support/environment.ts";
import { leadsInto } from "./leads-into.ts";
import { realOrSame } from "./real-path.ts";

interface Places {
  readonly cwd: string;
  /** More folders that cells may write. */
  readonly write?: readonly string[] | undefined;
  readonly env: Environment;
}

const usualFolders = ["/usr/bin", "/usr/local/bin"];

/** A Python that cells cannot change. */
export function findOutsidePython(wish: Places, folders = usualFolders): string | null {
  return ["python3", "python"].map((name) => findProgram(name, wish, folders)).find((found) => found !== null) ?? null;
}

/**
 * On PATH, but not from a folder that cells may write: it runs outside of the sandbox. A script, such as a shim of a version manager,
 * would look for more programs on PATH.
 */
export function findProgram(name: string, { env, cwd, write = [] }: Places, first = usualFolders): string | null {
  const folders = [...first, ...(env.PATH ?? "").split(delimiter).filter(isAbsolute)];
  const writable = [cwd, ...write].map(realOrSame);
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      // Without links, which could lead elsewhere by the time the program starts.
      const program = realpathSync(path);
      const isItself = basename(program).startsWith(name) && !isScript(program);
      if (isItself && !leadsInto(writable, path)) return program;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

function isScript(program: string): boolean {
  let file: number;
  try {
    file = openSync(program, constants.O_RDONLY);
  } catch {
    // Not readable, as bubblewrap with the rights of root may be; a shell could not read a script.
    return false;
  }
  try {
    const beginning = Buffer.alloc(2);
    readSync(file, beginning, 0, 2, 0);
    return beginning.toString() === "#!";
  } finally {
    closeSync(file);
  }
}
