import { dirname, join, resolve } from "node:path";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { readdir, readSmallFile, realpath } from "../../support/files/look.ts";
import type { Interpreter } from "../interpreter.ts";
import { readConfiguration } from "./read-facts.ts";

/** An environment has a handful. */
const mostFiles = 500;

type Installed = Pick<Interpreter, "executable" | "virtualEnvironment" | "condaEnvironment">;

/**
 * The places outside of its packages from which a Python imports modules, as `pip install -e` links them: folders in `.pth` files,
 * and the text of code that such files run at every start, which may name more.
 */
export async function linkedPackages(
  python: Installed,
  env: Environment,
): Promise<{ readonly folders: readonly string[]; readonly code: readonly string[] }> {
  const packages = (await Promise.all((await prefixesOf(python, env)).map(packagesIn))).flat();
  const files = (await Promise.all([...new Set(packages)].map(pathFilesIn))).flat().slice(0, mostFiles);
  const read = await Promise.all(files.map(readPathFile));
  return { folders: read.flatMap(({ folders }) => folders), code: read.flatMap(({ code }) => code) };
}

/** Of the Python, of the one that a virtual environment shares packages with, and of the user. */
async function prefixesOf({ executable, virtualEnvironment, condaEnvironment }: Installed, env: Environment) {
  const own = virtualEnvironment ?? condaEnvironment ?? dirname(dirname(await realpath(executable).catch(() => "/")));
  const said = virtualEnvironment === null ? null : await readConfiguration(virtualEnvironment);
  if (said !== null && said.get("include-system-site-packages")?.toLowerCase() !== "true") return [own];
  const base = said?.get("home");
  const userBase = env.PYTHONUSERBASE || join(env.HOME || homeOfAccount(), ".local");
  const ofUser =
    process.platform === "darwin" ? await numberedIn(join(env.HOME || homeOfAccount(), "Library/Python")) : [];
  return [own, ...(base === undefined ? [] : [dirname(base)]), userBase, ...ofUser];
}

async function packagesIn(prefix: string): Promise<readonly string[]> {
  // Debian has packages of its own Python in dist-packages, and those of pip below local.
  const libraries = ["lib", "lib64", "local/lib"].map((name) => join(prefix, name));
  const versions = (await Promise.all(libraries.map(numberedIn))).flat();
  return versions.flatMap((version) => ["site-packages", "dist-packages"].map((name) => join(version, name)));
}

async function numberedIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.filter((name) => /^(python|pypy)(\d|$)|^\d/.test(name)).map((name) => join(folder, name));
}

async function pathFilesIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".pth")).map((name) => join(folder, name));
}

/** As Python reads it: lines that begin with `import` run, all others are folders. */
async function readPathFile(file: string) {
  const lines = (await readSmallFile(file).catch(() => "")).split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const runs = lines.filter((line) => /^import[ \t]/.test(line));
  const folders = lines.filter((line) => !runs.includes(line)).map((line) => resolve(dirname(file), line.trim()));
  const modules = runs.flatMap((line) => /^import\s+(\w+)/.exec(line)?.slice(1) ?? []);
  const sources = modules.map((name) => readSmallFile(join(dirname(file), `${name}.py`)).catch(() => ""));
  return { folders, code: [...runs, ...(await Promise.all(sources))] };
}
