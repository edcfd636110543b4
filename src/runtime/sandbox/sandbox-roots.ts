import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { protectedPaths } from "../../sandbox/protected/protected-files.ts";
import { realOrSame } from "../../sandbox/real-path.ts";
import { privateOnes, requireOpen, requireUseful } from "../../sandbox/refuse/require-useful.ts";
import { writableFolders } from "../../sandbox/sandbox-plan.ts";
import { keptSecrets } from "../../sandbox/secrets/kept-secrets.ts";
import { hiddenPaths } from "../../sandbox/secrets/secret-paths.ts";
import { expandHome, granaryHome } from "../../settings/granary-home.ts";
import type { Settings } from "../../settings/settings.ts";
import { trustedPaths } from "../../settings/trust/trusted-folders.ts";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { knownPlaces } from "../../support/files/foreign/known-places.ts";

/**
 * The folders of tools that read and write files outside of the sandbox, on behalf of code inside: those that the code
 * may write itself, without the protected and the hidden files in them. Throws where no code may run there.
 * @param cwd the folder of the runtime
 * @param asked further limits, as `realRoots` returned them
 */
export function sandboxRoots(
  cwd: string,
  { sandboxWrite }: Pick<Settings["python"], "sandboxWrite">,
  asked: readonly string[] | undefined,
  env: Environment,
): readonly string[] {
  const more = sandboxWrite.map((folder) => resolve(cwd, expandHome(folder, env)));
  const writable = writableFolders(cwd, more);
  requireUseful(writable, userHome(env));
  const secrets = findSecrets(writable, cwd, env);
  requireOpen(writable, secrets.kept);
  return [...new Set([...inBoth(asked ?? writable, writable), ...exceptionsIn(writable, secrets, env)])];
}

/** The folders that are in one of each. */
export function inBoth(some: readonly string[], others: readonly string[]): readonly string[] {
  return [
    ...some.filter((folder) => others.some((other) => isWithin(other, folder))),
    ...others.filter((folder) => some.some((other) => isWithin(other, folder))),
  ];
}

/** The folders as they are named, without the protected and the hidden files in them. */
export function rootsIn(folders: readonly string[], cwd: string, env: Environment): readonly string[] {
  return [...new Set([...folders, ...exceptionsIn(folders, findSecrets(folders, cwd, env), env)])];
}

/** The folder without the hidden files in it, for files that Granary reads there on behalf of code. */
export function withoutSecrets(cwd: string, env: Environment): readonly string[] {
  const folder = realOrSame(cwd);
  const hidden = hiddenIn([folder], findSecrets([folder], folder, env));
  return [folder, ...hidden.map((path) => `!${path}`)];
}

/** Whether cells in a sandbox (`workspace`) read a file outside of the folders that they write. For sentences. */
export function mayReadInside(path: string, cwd: string, env: Environment): boolean {
  const { names, kept } = findSecrets([cwd], cwd, env);
  const closed = [...names, ...kept, ...privateOnes(), "/run", "/proc", "/dev"];
  const isOpen = [path, realOrSame(path)].every((one) => closed.every((place) => !isWithin(place, one)));
  return isOpen && isReadable(path);
}

/** Root has only the rights of an owner inside. */
function isReadable(path: string): boolean {
  try {
    const { mode, uid } = statSync(path);
    accessSync(path, constants.R_OK);
    return process.getuid?.() !== 0 || uid === 0 || (mode & 0o004) !== 0;
  } catch {
    return false;
  }
}

interface Secrets {
  /** They need not exist. */
  readonly names: readonly string[];
  /** Paths that exist, without links. */
  readonly kept: readonly string[];
}

function findSecrets(writable: readonly string[], cwd: string, env: Environment): Secrets {
  const names = hiddenPaths(userHome(env), realOrSame(granaryHome(env)), env, [cwd]);
  return { names, kept: keptSecrets(names, [...writable, ...knownPlaces(granaryHome(env))]) };
}

function userHome(env: Environment): string {
  return realOrSame(env.HOME || homeOfAccount());
}

function exceptionsIn(folders: readonly string[], secrets: Secrets, env: Environment): readonly string[] {
  const home = granaryHome(env);
  const files = protectedPaths({
    write: folders,
    userHome: userHome(env),
    granaryHome: home,
    trusted: trustedPaths(home),
    known: knownPlaces(home),
  });
  return [...files, ...hiddenIn(folders, secrets)].map((path) => `!${path}`);
}

function hiddenIn(writable: readonly string[], { names, kept }: Secrets): readonly string[] {
  const isInside = (path: string): boolean => writable.some((folder) => path !== folder && isWithin(folder, path));
  return [...names, ...kept].filter(isInside);
}
