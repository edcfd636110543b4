import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { repositoriesAround } from "../../support/files/foreign/project-folders.ts";
import { realpath } from "../../support/files/look.ts";
import type { Interpreter } from "../interpreter.ts";
import type { Search } from "./candidates.ts";
import { linkedPackages } from "./linked-packages.ts";
import { readConfiguration } from "./read-facts.ts";
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
  const all = [executable, virtualEnvironment, condaEnvironment].filter((path) => path !== null);
  const parts =
    source === "managed" && virtualEnvironment !== null ? await madeOf(executable, virtualEnvironment) : all;
  if (await isOf(roots, parts)) return true;
  const { folders, code } = await linkedPackages({ executable, virtualEnvironment, condaEnvironment }, place.env);
  return (await isOf(roots, folders)) || code.some((text) => roots.some((root) => text.includes(root)));
}

/** Whether Granary's own environment was made of a Python in the folder: the folder may have put another program there since. */
export async function isMadeOfFolder(executable: string, environment: string, place: Place): Promise<boolean> {
  return isOf(await projectRoots(place), await madeOf(executable, environment));
}

/** The Python that Granary's own environment was made of. The environment itself may be in the folder, where the user put it. */
async function madeOf(executable: string, environment: string): Promise<readonly string[]> {
  const own = await real(dirname(environment));
  const base = (await readConfiguration(environment)).get("home");
  const parts = await Promise.all([executable, ...(base === undefined ? [] : [base])].map(real));
  return parts.filter((part) => !isInside(own, part));
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
  const env = withoutPlaces(place.env, (each) => isAbsolute(each) && !ours.has(each));
  // Python looks there without a variable.
  const usersPackages = join(resolve(place.env.HOME || homeOfAccount()), ".local");
  return (await isOf(roots, [usersPackages])) ? { ...env, PYTHONNOUSERSITE: "1" } : env;
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
 * The outermost repository around the folder, or the folder itself, by all their names. The user's home did not come from elsewhere,
 * also where it is a repository, of dotfiles, nor did folders around it, unless they are a repository, as with `HOME=$PWD/.home`.
 */
async function projectRoots({ cwd, env }: Place): Promise<readonly string[]> {
  const typed = resolve(cwd);
  const homes = await namesOf(resolve(env.HOME || homeOfAccount()));
  const folders = await namesOf(typed);
  const repositories = (await Promise.all(folders.map(repositoriesAround))).map((roots) =>
    roots.findLast((root) => !homes.includes(root) && dirname(root) !== root),
  );
  const outermost = repositories.filter((root) => root !== undefined);
  const isHome = folders.some((folder) => homes.some((home) => isInside(folder, home)));
  const roots = [...outermost, ...(isHome ? [] : folders)];
  return [...new Set((await Promise.all(roots.map(namesOf))).flat())];
}

/** The name itself, and that without links. */
async function namesOf(folder: string): Promise<readonly string[]> {
  return [...new Set([folder, await real(folder)])];
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
