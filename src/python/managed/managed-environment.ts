import type { Environment } from "../../support/environment.ts";
import { whileHolding } from "../../support/files/file-lock.ts";
import { makeFolder } from "../../support/files/make-folder.ts";
import type { GranaryError } from "../../support/granary-error.ts";
import { belongsToFolder, withoutFolderPrograms } from "../find/in-folder.ts";
import { findUv } from "./managed-base.ts";
import { type BuildOptions, buildAnew, installPackages } from "./managed-build.ts";
import { checkManagedEnvironment, type ManagedState, managedPath } from "./managed-check.ts";
import { setupError } from "./managed-error.ts";
import { managedVariables } from "./managed-variables.ts";

export interface SetUpOptions {
  /** Granary's own folder. */
  readonly home: string;
  /** The folder in which the user works. Programs that came with its project are never started, also where they are on PATH. */
  readonly cwd: string;
  readonly env: Environment;
  /** Ends the set-up and its processes; the next set-up continues or starts over as needed. */
  readonly signal: AbortSignal;
  /** Gets a line of progress, from Granary or from pip or uv. */
  readonly onProgress: (line: string) => void;
  /** The Python for the environment; otherwise the first on PATH. */
  readonly basePython?: string | undefined;
}

export interface SetUp {
  readonly did: "nothing" | "created" | "repaired";
  readonly environment: Extract<ManagedState, { state: "ready" }>;
}

/**
 * Makes or repairs Granary's own Python environment, with the packages that Jupyter kernels need. Touches no other
 * environment. Of two calls at once, the second waits and finds the work done.
 */
export async function setUpManagedEnvironment(options: SetUpOptions): Promise<SetUp> {
  const { home, cwd, signal, onProgress, basePython } = options;
  const { env, leftOut } = await withoutFolderPrograms(options);
  const build: BuildOptions = { home, cwd, leftOut, env: managedVariables(env), signal, onProgress, basePython };
  const onWait = (owner: string) => onProgress(`Waiting for another set-up (${owner})`);
  try {
    await makeFolder(home);
    return await whileHolding(`${managedPath(home)}.lock`, { signal, onWait }, () => createOrRepair(build));
  } catch (error) {
    throw notWritable(error, home) ?? error;
  }
}

async function createOrRepair(build: BuildOptions): Promise<SetUp> {
  const before = await checkManagedEnvironment(build);
  if (before.state === "ready") return { did: "nothing", environment: before };
  for (const entry of build.leftOut) build.onProgress(`Not using ${entry} of PATH: it came with this folder`);
  if (before.state === "broken") {
    build.onProgress(before.problem);
    const { working } = before;
    if (working !== null && (await canRepair(working, build))) {
      await installPackages(working.python, build);
      const after = await checkManagedEnvironment(build);
      if (after.state === "ready") return { did: "repaired", environment: after };
    }
  }
  await buildAnew(build);
  const made = await checkManagedEnvironment(build);
  if (made.state !== "ready") throw doesNotWork(made);
  return { did: before.state === "missing" ? "created" : "repaired", environment: made };
}

/** Installing starts its Python with `site`, which would run code of a folder that `pip install -e` linked. */
async function canRepair({ python, pip }: { readonly python: string; readonly pip: boolean }, build: BuildOptions) {
  const environment = { virtualEnvironment: managedPath(build.home), condaEnvironment: null };
  if (await belongsToFolder({ executable: python, source: "managed", ...environment }, build)) {
    build.onProgress("Making the environment again, because its packages link into this folder");
    return false;
  }
  return pip || (await findUv(build)) !== null;
}

function doesNotWork(made: ManagedState): GranaryError {
  const problem = made.state === "broken" ? made.problem : `${made.path} has disappeared.`;
  return setupError("install-failed", `The environment was made, but does not work: ${problem} Try another Python.`);
}

function notWritable(error: unknown, home: string): GranaryError | null {
  const { code = "", syscall, message } = error as NodeJS.ErrnoException;
  const cannotBeMade = code === "ENOENT" && syscall === "mkdir";
  if (!cannotBeMade && !["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST"].includes(code)) return null;
  return setupError(
    "not-writable",
    `Granary's folder ${home} cannot be written (${message}). Make room or change its permissions, or name another with GRANARY_HOME.`,
    [],
    error,
  );
}
