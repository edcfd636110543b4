import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";

/**
 * Whether a name or path that a user typed is that executable, as `python3` and `bin/python` beside `bin/python3.12`. A virtual
 * environment links to the Python that made it, so both must also be in the same folder.
 */
export function isSamePython(
  typed: string,
  executable: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): boolean {
  const path = typed.includes("/") ? resolve(cwd, typed) : onPath(typed, env);
  if (path === null) return false;
  try {
    return realpathSync(path) === realpathSync(executable) && folderOf(path) === folderOf(executable);
  } catch {
    return false; // one of them is gone
  }
}

function folderOf(path: string): string {
  return realpathSync(dirname(path));
}

function onPath(name: string, { PATH = "" }: Environment): string | null {
  const candidates = PATH.split(delimiter).filter(isAbsolute);
  return candidates.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
