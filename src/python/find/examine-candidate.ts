import { access, constants, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemReason } from "../../support/files/system-reason.ts";
import { isShortage } from "../../support/process/exhaustion.ts";
import type { Interpreter, RejectedCandidate } from "../interpreter.ts";
import type { Candidate, Search } from "./candidates.ts";
import { isPresent } from "./is-present.ts";
import { resolvePyenvShim } from "./pyenv-shim.ts";

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
    const problem = await whyNotExecutable(candidate.path);
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
