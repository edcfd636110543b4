import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { membershipOf } from "../find/examine-candidate.ts";
import { belongsToFolder } from "../find/in-folder.ts";
import { setupError } from "./managed-error.ts";
import { runTool } from "./managed-tool.ts";

/** The Python that an environment is made of. */
export interface BasePython {
  readonly path: string;
  readonly version: string;
  /** Whether `python -m venv` works; Debian packages its parts separately. */
  readonly hasVenv: boolean;
}

interface Looking {
  readonly home: string;
  /** The folder whose programs do not count. */
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** The named Python, or else the first on PATH that is new enough; null when there is none. */
export async function findBasePython(named: string | undefined, looking: Looking): Promise<BasePython | null> {
  if (named !== undefined) {
    const base = await askBase(named, looking);
    if (base !== null) return base;
    throw setupError("no-python", `${named} does not start a Python 3.8 or newer. Name another, or none.`);
  }
  for await (const path of onPath(["python3", "python"], looking)) {
    const base = await askBase(path, looking);
    if (base !== null) return base;
  }
  return null;
}

/** A uv that really starts: on PATH may be a version manager's shim for a uv that is not installed. */
export async function findUv(looking: Looking): Promise<string | null> {
  const { home, env, signal } = looking;
  for await (const path of onPath(["uv"], looking)) {
    const { succeeded } = await runTool(path, ["--version"], { cwd: home, env, signal });
    if (succeeded) return path;
  }
  return null;
}

/** A relative folder would let the current folder choose, and so would a link that leads into it. */
async function* onPath(names: readonly string[], looking: Looking): AsyncGenerator<string> {
  const folders = (looking.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  for (const name of names) {
    for (const path of folders.map((folder) => join(folder, name))) {
      if ((await isExecutable(path)) && !(await cameWithFolder(path, looking))) yield path;
    }
  }
}

async function cameWithFolder(path: string, looking: Looking): Promise<boolean> {
  const membership = await membershipOf(path).catch(() => ({ virtualEnvironment: null, condaEnvironment: null }));
  return belongsToFolder({ executable: path, source: "PATH", ...membership }, looking);
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

// For a virtual environment's Python, the one behind it: the project may delete its environment.
const question = `
import sys
from importlib import util
has_venv = util.find_spec("venv") is not None and util.find_spec("ensurepip") is not None
print("\\n".join(["%d.%d.%d" % sys.version_info[:3], str(has_venv), getattr(sys, "_base_executable", "") or sys.executable]))
`;

async function askBase(path: string, { home, env, signal }: Looking): Promise<BasePython | null> {
  const { succeeded, lines } = await runTool(path, ["-c", question], { cwd: home, env, signal });
  const [version = "", hasVenv, behind = ""] = lines.slice(-3);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major === 3 && minor >= 8;
  if (!succeeded || !isNewEnough) return null;
  return { path: isAbsolute(behind) ? behind : path, version, hasVenv: hasVenv === "True" };
}
