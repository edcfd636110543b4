import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { projectFolders } from "../../support/files/foreign/project-folders.ts";
import { isPresent } from "../../support/files/look.ts";
import type { InterpreterSource } from "../interpreter.ts";

/** A path where a Python may be. */
export interface Candidate {
  readonly path: string;
  readonly source: InterpreterSource;
}

export interface Search {
  readonly cwd: string;
  /** A folder around it that the user works in: environments up to there count. */
  readonly top?: string | undefined;
  readonly env: Environment;
  /** Use exactly this one, without a search; `~`, paths relative to `cwd` and names on PATH, such as `python3.12`, are allowed. */
  readonly explicit?: string | undefined;
  /** Whether `explicit` was not written for this folder, as in the user's own settings: a name without a slash is then on PATH or nowhere. */
  readonly isForAnyFolder?: boolean | undefined;
  /** PATH for a program in front of Python, such as this wrapper; without programs of the folder by default. */
  readonly inFront?: ((wrapper?: string) => Promise<PathInFront>) | undefined;
  /** Granary's own folder. Without it there is no managed environment and no cache. */
  readonly home?: string | undefined;
}

export interface PathInFront {
  readonly path: string | undefined;
  /** The entries of PATH that are not in it. */
  readonly leftOut: readonly string[];
}

/**
 * Every place where a Python is, or where a variable names one, in order of preference. A missing Python that no
 * variable names is skipped silently; the search stops when the caller stops iterating.
 */
export async function* candidates(search: Search): AsyncGenerator<Candidate> {
  if (search.explicit !== undefined) {
    yield* named(search.explicit, search);
    return;
  }
  if (search.env.VIRTUAL_ENV) yield pythonIn(resolve(search.cwd, search.env.VIRTUAL_ENV), "VIRTUAL_ENV");
  for await (const folder of projectFolders(resolve(search.cwd), search.top)) {
    for (const name of [".venv", "venv"] as const) {
      const prefix = join(folder, name);
      if (await isPresent(prefix)) yield pythonIn(prefix, name);
    }
  }
  yield* onlyPresent(conda(search));
  yield* onlyPresent(onPath(["python3", "python"], "PATH", search.env));
  // Last, so that `granary setup` changes nothing for a folder that has a Python.
  yield* onlyPresent(ours(search));
}

/**
 * Looks for a name without a slash on PATH, as a shell does, and then in the folder. `python3.12` may be that of the activated
 * environment. Any other name is a wrapper, which may be the user's sandbox: the folder does not choose that program.
 */
async function* named(typed: string, search: Search): AsyncGenerator<Candidate> {
  let isOnPath = false;
  const isBareName = !typed.includes("/") && typed !== "~";
  const env = isBareName && !isPythonName(typed) ? { PATH: await pathInFront(search) } : search.env;
  for await (const candidate of onlyPresent(onPath(isBareName ? [typed] : [], "explicit", env))) {
    isOnPath = true;
    yield candidate;
  }
  if (isOnPath || (isBareName && search.isForAnyFolder)) return;
  yield { path: resolve(search.cwd, withoutTilde(typed, search.env)), source: "explicit" };
}

/** `python`, `python3.12`, `python3.13t`; but not `python-in-docker`. */
export function isPythonName(name: string): boolean {
  return /^(python|pypy|graalpy)[\d.]*[a-z]?$/.test(name);
}

async function pathInFront(search: Search): Promise<string | undefined> {
  if (search.inFront !== undefined) return (await search.inFront()).path;
  const { withoutFolderPrograms } = await import("./in-folder.ts");
  return (await withoutFolderPrograms(search)).env.PATH;
}

/** The folder of Granary's own environment, which `granary setup` makes. */
export function managedFolder(home: string): string {
  return join(home, "python-env");
}

/** A conda environment need not have a Python. */
function* conda({ cwd, env }: Search): Generator<Candidate> {
  if (env.CONDA_PREFIX) yield pythonIn(resolve(cwd, env.CONDA_PREFIX), "CONDA_PREFIX");
}

/** Granary's own environment, which may not have been made. */
export function* ours({ home }: Pick<Search, "home">): Generator<Candidate> {
  if (home !== undefined) yield pythonIn(managedFolder(home), "managed");
}

function* onPath(names: readonly string[], source: InterpreterSource, env: Environment): Generator<Candidate> {
  // A relative entry of PATH would let the current folder choose the Python.
  const folders = new Set((env.PATH ?? "").split(delimiter).filter(isAbsolute));
  for (const name of names) {
    for (const folder of folders) yield { path: join(folder, name), source };
  }
}

async function* onlyPresent(all: Iterable<Candidate>): AsyncGenerator<Candidate> {
  for (const candidate of all) if (await isPresent(candidate.path)) yield candidate;
}

function pythonIn(prefix: string, source: InterpreterSource): Candidate {
  return { path: join(prefix, "bin", "python"), source };
}

function withoutTilde(path: string, env: Environment): string {
  return env.HOME !== undefined && (path === "~" || path.startsWith("~/")) ? join(env.HOME, path.slice(1)) : path;
}
