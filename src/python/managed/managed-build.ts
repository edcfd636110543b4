import { randomBytes } from "node:crypto";
import { lstat, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Environment } from "../../support/environment.ts";
import type { GranaryError } from "../../support/granary-error.ts";
import { type BasePython, findBasePython, findUv } from "./managed-base.ts";
import { managedPackages, managedPath } from "./managed-check.ts";
import { setupError } from "./managed-error.ts";
import { runTool, type ToolEnd } from "./managed-tool.ts";

export interface BuildOptions {
  readonly home: string;
  /** The folder whose programs do not count. */
  readonly cwd: string;
  /** Its entries of PATH, which `env` is without. */
  readonly leftOut: readonly string[];
  /** Cleaned, see `managedVariables`. */
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
  readonly basePython: string | undefined;
}

/**
 * Makes the environment from nothing. Its scripts contain the path of its folder, so the folder cannot be moved
 * later; when it is complete, a link with the expected name appears, all at once.
 */
export async function buildAnew(options: BuildOptions): Promise<void> {
  const { home } = options;
  await removeLeftOvers(home);
  const folder = newFolder(home);
  try {
    await makeEnvironment(folder, options);
    await installPackages(join(folder, "bin", "python"), options);
    await putInPlace(folder, home);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  await removeLeftOvers(home);
}

/** Also repairs an environment that lacks only these packages, and keeps its other packages. */
export async function installPackages(python: string, options: BuildOptions): Promise<void> {
  const uv = await findUv(options);
  options.onProgress(`Installing ${managedPackages.join(" and ")} with ${uv === null ? "pip" : "uv"}`);
  const end =
    uv === null
      ? await run(python, ["-m", "pip", "install", "--retries", "2", "--upgrade", ...managedPackages], options)
      : await run(uv, ["pip", "install", "--python", python, "--upgrade", ...managedPackages], options);
  if (!end.succeeded) throw installFailed(end);
}

async function makeEnvironment(folder: string, options: BuildOptions): Promise<void> {
  const { onProgress, basePython } = options;
  const uv = await findUv(options);
  const base = await findBasePython(basePython, options);
  if (uv !== null) {
    // Without any Python, uv fetches one.
    onProgress(`Creating a virtual environment with uv${base === null ? "" : ` and Python ${base.version}`}`);
    const end = await run(uv, ["venv", "--seed", "--python", base?.path ?? ">=3.8", folder], options);
    if (!end.succeeded) throw installFailed(end);
    return;
  }
  if (base === null) throw noPython(options);
  if (!base.hasVenv) throw noVenv(base);
  onProgress(`Creating a virtual environment with Python ${base.version}`);
  const end = await run(base.path, ["-m", "venv", folder], options);
  if (!end.succeeded) throw installFailed(end);
}

function run(program: string, args: readonly string[], options: BuildOptions): Promise<ToolEnd> {
  // In Granary's own folder, where no project's pyproject.toml or uv.toml applies.
  const { home: cwd, env, signal, onProgress: onLine } = options;
  return runTool(program, args, { cwd, env, signal, onLine });
}

function newFolder(home: string): string {
  return `${managedPath(home)}-${randomBytes(6).toString("hex")}`;
}

async function putInPlace(folder: string, home: string): Promise<void> {
  const path = managedPath(home);
  // A folder, such as one made by hand, cannot be replaced by a link in one step.
  const isFolder = await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) await rename(path, newFolder(home));
  await symlink(basename(folder), `${folder}.link`);
  await rename(`${folder}.link`, path);
}

/** Removes leftovers of a killed set-up or of a repair. */
async function removeLeftOvers(home: string): Promise<void> {
  const inUse = await readlink(managedPath(home)).catch(() => "");
  const names = (await readdir(home)).filter((name) => /^python-env-[0-9a-f]{12}(\.link)?$/.test(name));
  for (const name of names) {
    if (name !== basename(inUse)) await rm(join(home, name), { recursive: true, force: true });
  }
}

function noPython({ leftOut }: BuildOptions): GranaryError {
  const ofFolder = leftOut.length === 0 ? "" : " Or name one with --python: those of this folder do not count.";
  return setupError(
    "no-python",
    `There is no Python 3.8 or newer on PATH to make the environment of. Install Python, or uv, which brings its own.${ofFolder}`,
  );
}

function noVenv({ path, version }: BasePython): GranaryError {
  const name = `python${version.replace(/\.\d+$/, "")}-venv`;
  return setupError(
    "no-venv",
    `${path} cannot make virtual environments: its venv or ensurepip module is missing. ` +
      `On Debian and Ubuntu install it with: sudo apt install ${name}. Anywhere, installing uv helps too.`,
  );
}

function installFailed({ lines }: ToolEnd): GranaryError {
  const last = lines.filter((line) => line.trim() !== "").slice(-6);
  return lines.some((line) => unreachable.test(line))
    ? setupError(
        "no-network",
        "The packages could not be downloaded. Check the network, or the proxy and the index of pip or uv. " +
          "The last lines were:",
        last,
      )
    : setupError("install-failed", "The packages could not be installed. The last lines were:", last);
}

const unreachable =
  /NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Connection (refused|reset|timed out|aborted)|Network is unreachable|[Nn]ame resolution|Name or service not known|nodename nor servname|dns error|error sending request|[Ff]ailed to fetch/;
