import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isGranaryError } from "../../../support/granary-error.ts";

/** A client would not show more, and a home folder has thousands. */
const most = 100;
const deepest = 3;
const notLookedInto = new Set(["node_modules", "__pycache__", "venv", "site-packages", "dist", "build"]);

/**
 * The notebooks in some folders, top levels first, as paths from `cwd`, or absolute outside of it.
 * @param folders of the tools for files; none where a sandbox refuses them
 */
export async function listNotebooks(
  folders: () => readonly string[] | Promise<readonly string[]>,
  cwd: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  let level = await allowed(folders);
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (found.length >= most) return found.slice(0, most);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
        if (entry.name.startsWith(".") || notLookedInto.has(entry.name)) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) next.push(path);
        else if (entry.isFile() && entry.name.endsWith(".ipynb")) found.push(pathFrom(cwd, path));
      }
    }
    level = next;
  }
  return found.slice(0, most);
}

async function allowed(folders: () => readonly string[] | Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await folders();
  } catch (error) {
    if (isGranaryError(error, "sandbox")) return [];
    throw error;
  }
}

/** Without `..`, which URL parsers remove. */
function pathFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith(`..${sep}`) ? path : way;
}
