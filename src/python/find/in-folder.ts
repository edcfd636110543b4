import { homedir } from "node:os";
import { delimiter, isAbsolute, relative, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { realpath } from "../../support/files/look.ts";
import type { Interpreter } from "../interpreter.ts";
import { projectFolders, type Search } from "./candidates.ts";

type Place = Pick<Search, "cwd" | "env">;

/** Whether starting this Python runs code that came with the folder: its program or its packages are in it. */
export async function belongsToFolder(
  { executable, source, virtualEnvironment, condaEnvironment }: Omit<Interpreter, "facts" | "skipped">,
  place: Place,
): Promise<boolean> {
  if (source === ".venv" || source === "venv") return true;
  if (source === "managed") return false;
  const root = await projectRoot(place);
  if (root === null) return false;
  const parts = [executable, virtualEnvironment, condaEnvironment].filter((path) => path !== null);
  const real = await Promise.all(parts.map((path) => realpath(path).catch(() => path)));
  return [...parts, ...real].some((path) => isInside(root, path));
}

/**
 * The environment in which a Python from elsewhere runs nothing of the folder: without its entries of PYTHONPATH and the
 * like, where a `sitecustomize.py` would run.
 */
export async function withoutFolder(place: Place): Promise<Environment> {
  const root = await projectRoot(place);
  const isElsewhere = (path: string): boolean => isAbsolute(path) && (root === null || !isInside(root, path));
  const kept = Object.entries(place.env).map(
    ([name, value]) => [name, onlyElsewhere(name, value, isElsewhere)] as const,
  );
  return Object.fromEntries(kept);
}

const searchPaths = [
  "PYTHONPATH",
  "PYTHONHOME",
  "PYTHONUSERBASE",
  "LD_LIBRARY_PATH",
  "LD_PRELOAD",
  "DYLD_LIBRARY_PATH",
];

function onlyElsewhere(name: string, value: string | undefined, isElsewhere: (path: string) => boolean) {
  if (value === undefined || !searchPaths.includes(name)) return value;
  const entries = value.split(delimiter);
  const kept = entries.filter(isElsewhere);
  if (kept.length === entries.length) return value;
  return kept.length === 0 ? undefined : kept.join(delimiter);
}

/** The outermost folder of the project; null where that is the user's own, which did not come from elsewhere. */
async function projectRoot({ cwd, env }: Place): Promise<string | null> {
  let root = resolve(cwd);
  for await (const folder of projectFolders(root)) root = folder;
  return isInside(root, resolve(env.HOME || homedir())) ? null : root;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
