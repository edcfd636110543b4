import { constants } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Environment } from "../../support/environment.ts";
import { strangerAt } from "../../support/files/foreign/strangers.ts";
import { access, isPresent, open, readSmallFile, realpath, stat } from "../../support/files/look.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { isShortage } from "../../support/process/exhaustion.ts";
import type { Interpreter, RejectedCandidate } from "../interpreter.ts";
import type { Candidate, Search } from "./candidates.ts";

/** A candidate that its files show to be executable. Only asking it shows which Python starts. */
export interface Examined extends Membership {
  readonly candidate: Candidate;
  readonly executable: string;
  /** A version manager's shim, which chooses a Python by its working folder and environment. */
  readonly isShim: boolean;
  /** Two candidates with the same identity are the same Python. */
  readonly identity: string;
  /** Changes with the file behind the path. */
  readonly stamp: string;
}

/** The environments of packages that a Python belongs to. */
type Membership = Pick<Interpreter, "virtualEnvironment" | "condaEnvironment">;

/** Never rejects: a file that disappears in between is a problem of that candidate. */
export async function examineCandidate(candidate: Candidate, search: Search): Promise<Examined | RejectedCandidate> {
  try {
    const stranger = await strangerOf(candidate, search);
    if (stranger !== null) return ofStranger(candidate, stranger);
    const problem = (await whyNotExecutable(candidate.path)) ?? (await whyNeverReady(candidate.path));
    if (problem !== null) return { ...candidate, problem };
    if (!(await looksLikeShim(candidate.path))) return await examined(candidate, candidate.path);
    const behind = await resolvePyenvShim(candidate.path, search);
    return behind === null ? examinedShim(candidate) : await examined(candidate, behind);
  } catch (error) {
    const problem = `cannot be looked at: ${systemReason(error)}`;
    return { ...candidate, problem, shortage: isShortage(error) ? (error as Error) : undefined };
  }
}

export async function membershipOf(executable: string): Promise<Membership> {
  const prefix = dirname(dirname(executable));
  if (await isPresent(join(prefix, "pyvenv.cfg"))) return { virtualEnvironment: prefix, condaEnvironment: null };
  // As Python does: it follows links to find its prefix, but not to detect virtual environments.
  const realPrefix = dirname(dirname(await realpath(executable)));
  const isConda = await isPresent(join(realPrefix, "conda-meta"));
  return { virtualEnvironment: null, condaEnvironment: isConda ? realPrefix : null };
}

/** For a Python that counts because of where it lies, another user who put it there; null for any other. */
async function strangerOf(candidate: Candidate, search: Search): Promise<number | null> {
  const { cwd, top } = search;
  const place = await placeOf(candidate, search);
  return place === null ? null : strangerAt(place, top === undefined ? [cwd] : [cwd, top]);
}

/** An environment in the folder or above, or a program of the folder for a name that PATH does not have. */
async function placeOf({ path, source }: Candidate, { cwd, explicit }: Search): Promise<string | null> {
  if (source === ".venv" || source === "venv") return dirname(dirname(path));
  const isNamedByPlace = explicit === undefined || explicit.includes("/") || path !== resolve(cwd, explicit);
  return isNamedByPlace || !(await isPresent(path)) ? null : path;
}

function ofStranger(candidate: Candidate, stranger: number): RejectedCandidate {
  const problem = `belongs to another user (uid ${stranger}): if you trust that user, name it by its path, with --python or python.interpreter`;
  return { ...candidate, problem, stranger };
}

async function examined(candidate: Candidate, executable: string): Promise<Examined> {
  const [membership, program, stamp] = await Promise.all([
    membershipOf(executable),
    realpath(executable),
    stampOf(executable),
  ]);
  // The links `python` and `python3` of one folder are one Python; a virtual environment's link is another.
  const { virtualEnvironment } = membership;
  const identity = JSON.stringify([program, virtualEnvironment && (await realpath(virtualEnvironment))]);
  return { candidate, executable, isShim: false, identity, stamp, ...membership };
}

function examinedShim(candidate: Candidate): Examined {
  const { path } = candidate;
  const nothingKnown = { virtualEnvironment: null, condaEnvironment: null, stamp: "" };
  return { candidate, executable: path, isShim: true, identity: path, ...nothingKnown };
}

async function whyNotExecutable(path: string): Promise<string | null> {
  try {
    const file = await stat(path);
    if (file.isDirectory()) return "is a folder";
    if (!file.isFile()) return "is not a file";
    await access(path, constants.X_OK);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES") return "may not be executed";
    if (await isPresent(path)) return "links to a file that does not exist any more";
    const environment = dirname(dirname(path));
    if (code === "ENOTDIR" && (await isFile(environment))) {
      return `cannot exist, because ${environment} is a file and not an environment`;
    }
    return "does not exist";
  }
}

/** Python reads `pyvenv.cfg` beside it or above before anything else, and would wait for ever for the writer of a pipe. */
async function whyNeverReady(path: string): Promise<string | null> {
  const folder = dirname(path);
  for (const file of [join(folder, "pyvenv.cfg"), join(dirname(folder), "pyvenv.cfg")]) {
    const found = await stat(file).catch(() => null);
    if (found === null || found.isFile() || found.isDirectory()) continue;
    return `cannot start, because ${file} is not a file but a pipe, a socket or a device`;
  }
  return null;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  return `${size} ${mtimeNs} ${ino}`;
}

/**
 * Whether this is a program that starts Python rather than Python: asdf and pyenv write scripts, mise links to
 * itself. A shim takes longer than Python, so Granary starts kernels with the Python behind it.
 */
async function looksLikeShim(path: string): Promise<boolean> {
  const program = await realpath(path);
  if (!/^(python|pypy|graalpy)/.test(basename(program))) return true;
  // A file that may be executed but not read is no script.
  const file = await open(program).catch((error) => {
    if (isShortage(error)) throw error;
    return null;
  });
  if (file === null) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2);
    return buffer.toString() === "#!";
  } finally {
    await file.close();
  }
}

/** Whether this is a program that the user named, and that starts Python: in a container, say. */
export async function isAroundPython({
  executable,
  source,
}: Pick<Interpreter, "executable" | "source">): Promise<boolean> {
  return source === "explicit" && looksLikeShim(executable).catch(() => false);
}

/**
 * The interpreter that pyenv would start, found as pyenv finds it: `PYENV_VERSION`, then `.python-version` in
 * the current folder and those above it, then the global `version` file. Null when this is no shim of pyenv's
 * or its choice needs more than reading these files (`system`, `3.12` for the latest 3.12.x).
 */
async function resolvePyenvShim(
  shim: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | null> {
  const folder = dirname(shim);
  if (basename(folder) !== "shims") return null;
  const root = dirname(folder);
  for (const version of await chosenVersions(root, cwd, env)) {
    // A folder one opens may hold any `.python-version`; it must not lead out of pyenv's own folder.
    if (version.includes("/") || version.startsWith(".") || version === "system") return null;
    for (const name of [version, version.replace(/^python-/, "")]) {
      const executable = join(root, "versions", name, "bin", basename(shim));
      if (await isExecutable(executable)) return executable;
    }
  }
  return null;
}

async function chosenVersions(root: string, cwd: string, env: Environment): Promise<readonly string[]> {
  if (env.PYENV_VERSION) return env.PYENV_VERSION.split(":");
  for (const folder of withParents(cwd)) {
    const versions = await readVersions(join(folder, ".python-version"));
    if (versions.length > 0) return versions;
  }
  return readVersions(join(root, "version"));
}

/** The first word of each line that is no comment. */
async function readVersions(file: string): Promise<readonly string[]> {
  const text = await readSmallFile(file).catch(() => "");
  const words = text.split("\n").map((line) => line.trim().split(/\s/)[0] ?? "");
  return words.filter((word) => word !== "" && !word.startsWith("#"));
}

function* withParents(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* withParents(parent);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
