import { access, constants, lstat, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment, Interpreter, InterpreterSource } from "./interpreter.ts";
import { NoPythonError, type RejectedCandidate } from "./no-python-error.ts";
import { resolveShim } from "./resolve-shim.ts";

export interface FindInterpreterOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Exactly this one, without discovery; `~` and paths relative to `cwd` are allowed. */
  readonly explicit?: string | undefined;
}

/**
 * The Python to use. Looks at files only: starting an interpreter to ask what it is would double the time to
 * a first result. Broken candidates are skipped, and named if nothing better is found.
 */
export async function findInterpreter(options: FindInterpreterOptions): Promise<Interpreter> {
  const rejected: RejectedCandidate[] = [];
  for (const candidate of candidates(options)) {
    if (candidate.onlyIfPresent !== undefined && !(await isPresent(candidate.onlyIfPresent))) continue;
    const checked = await check(candidate, options);
    if ("problem" in checked) rejected.push({ path: candidate.path, source: candidate.source, ...checked });
    else return checked;
  }
  throw new NoPythonError(rejected, options.explicit !== undefined);
}

interface Candidate {
  readonly path: string;
  readonly source: InterpreterSource;
  readonly virtualEnvironment?: string;
  /** Nobody promised that this exists: without it the candidate is passed over without a word. */
  readonly onlyIfPresent?: string;
}

function* candidates({ cwd, env, explicit }: FindInterpreterOptions): Generator<Candidate> {
  if (explicit !== undefined) {
    yield { path: resolve(cwd, withoutTilde(explicit, env)), source: "explicit" };
    return;
  }
  if (env.VIRTUAL_ENV) yield inVirtualEnvironment(resolve(cwd, env.VIRTUAL_ENV), "VIRTUAL_ENV");
  for (const name of [".venv", "venv"] as const) {
    const prefix = join(cwd, name);
    yield { ...inVirtualEnvironment(prefix, name), onlyIfPresent: prefix };
  }
  // A relative entry of PATH would let the folder one happens to be in choose the Python.
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  for (const name of ["python3", "python"]) {
    for (const folder of folders) {
      const path = join(folder, name);
      yield { path, source: "PATH", onlyIfPresent: path };
    }
  }
}

function inVirtualEnvironment(prefix: string, source: InterpreterSource): Candidate {
  return { path: join(prefix, "bin", "python"), source, virtualEnvironment: prefix };
}

async function check(
  candidate: Candidate,
  options: FindInterpreterOptions,
): Promise<Interpreter | { readonly problem: string }> {
  const problem = await whyNotExecutable(candidate.path);
  if (problem !== null) return { problem };
  const resolved = await resolveShim(candidate.path, options);
  if ("problem" in resolved) return resolved;
  const { executable } = resolved;
  const virtualEnvironment = candidate.virtualEnvironment ?? (await virtualEnvironmentOf(executable));
  return { executable, source: candidate.source, virtualEnvironment };
}

async function whyNotExecutable(path: string): Promise<string | null> {
  try {
    const file = await stat(path);
    if (!file.isFile()) return "is not a file";
    await access(path, constants.X_OK);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES") return "may not be executed";
    if (await isPresent(path)) return "links to a file that does not exist any more";
    return "does not exist";
  }
}

async function virtualEnvironmentOf(executable: string): Promise<string | null> {
  const prefix = dirname(dirname(executable));
  return (await isPresent(join(prefix, "pyvenv.cfg"))) ? prefix : null;
}

/** True for a dangling link too. */
async function isPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function withoutTilde(path: string, env: Environment): string {
  return env.HOME !== undefined && (path === "~" || path.startsWith("~/")) ? join(env.HOME, path.slice(1)) : path;
}
