import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The state of an installation, as a text that changes when a package is installed, upgraded or removed: the times of the
 * folders on `sys.path`, of the `.pth` files in them, and of the interpreter with its `pyvenv.cfg`.
 */
export function installationState(interpreter: string, path: readonly string[]): string {
  const files = [interpreter, join(dirname(dirname(interpreter)), "pyvenv.cfg")];
  for (const folder of path) files.push(folder, ...pathFiles(folder));
  return files.map(modified).join(" ");
}

function pathFiles(folder: string): string[] {
  if (!/(site|dist)-packages\/?$/.test(folder)) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".pth"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function modified(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}:${found.mtimeMs}`;
}
