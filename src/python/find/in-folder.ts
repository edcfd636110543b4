import { homedir } from "node:os";
import { delimiter, isAbsolute, relative, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { realpath } from "../../support/files/look.ts";
import type { Interpreter } from "../interpreter.ts";
import { projectFolders, type Search } from "./candidates.ts";
import { linkedPackages } from "./linked-packages.ts";
import { searchedPlaces, withoutPlaces } from "./search-paths.ts";

type Place = Pick<Search, "cwd" | "env">;

/** Whether starting this Python runs code that came with the folder: its program or its packages are in it, or link there. */
export async function belongsToFolder(
  { executable, source, virtualEnvironment, condaEnvironment }: Omit<Interpreter, "facts" | "skipped">,
  place: Place,
): Promise<boolean> {
  if (source === ".venv" || source === "venv") return true;
  const roots = await projectRoots(place);
  if (roots.length === 0) return false;
  const parts = [executable, virtualEnvironment, condaEnvironment].filter((path) => path !== null);
  if (source !== "managed" && (await isOf(roots, parts))) return true;
  const { folders, code } = await linkedPackages({ executable, virtualEnvironment, condaEnvironment }, place.env);
  return (await isOf(roots, folders)) || code.some((text) => roots.some((root) => text.includes(root)));
}

/**
 * The environment in which a Python from elsewhere runs nothing of the folder: without its entries of PYTHONPATH and the
 * like, where a `sitecustomize.py` would run.
 */
export async function withoutFolder(place: Place): Promise<Environment> {
  const roots = await projectRoots(place);
  const places = [...new Set(searchedPlaces(place.env))];
  const areOurs = await Promise.all(places.map((each) => isOf(roots, [each])));
  const ours = new Set(places.filter((_, index) => areOurs[index]));
  return withoutPlaces(place.env, (each) => isAbsolute(each) && !ours.has(each));
}

/**
 * The environment in which names find no program that came with the folder, as `python3` would in its activated `.venv`, and the
 * entries of PATH that are left out. A relative entry would let the current folder choose.
 */
export async function withoutFolderPrograms(
  place: Place,
): Promise<{ readonly env: Environment; readonly leftOut: readonly string[] }> {
  const [env, roots] = await Promise.all([withoutFolder(place), projectRoots(place)]);
  const entries = (place.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const areOurs = await Promise.all(entries.map((entry) => isOf(roots, [entry])));
  const kept = entries.filter((_, index) => !areOurs[index]);
  // An empty PATH would mean the current folder.
  const PATH = kept.length === 0 ? undefined : kept.join(delimiter);
  return { env: { ...env, PATH }, leftOut: entries.filter((_, index) => areOurs[index]) };
}

/** Whether a program is in the folder, or leads there. */
export async function isOfFolder(path: string, place: Place): Promise<boolean> {
  return isOf(await projectRoots(place), [path]);
}

/**
 * The outermost folder of the project, by both its names. The user's home did not come from elsewhere, also where it is a
 * repository, of dotfiles: then it is the working folder, and none where that is the home.
 */
async function projectRoots({ cwd, env }: Place): Promise<readonly string[]> {
  let root = resolve(cwd);
  for await (const folder of projectFolders(root)) root = folder;
  const home = resolve(env.HOME || homedir());
  for (const folder of [root, resolve(cwd)]) {
    const names = [...new Set([folder, await real(folder)])];
    const isOwn = names.some((name) => isInside(name, home)) || isInside(await real(folder), await real(home));
    if (!isOwn) return names;
  }
  return [];
}

/** Whether one of the paths is in the folder, or leads there. */
async function isOf(roots: readonly string[], paths: readonly string[]): Promise<boolean> {
  if (roots.length === 0) return false;
  const all = [...paths, ...(await Promise.all(paths.map(real)))];
  return all.some((path) => roots.some((root) => isInside(root, path)));
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
