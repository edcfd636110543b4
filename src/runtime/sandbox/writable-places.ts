import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { realFolder } from "../../session/real-folder.ts";
import { expandHome } from "../../settings/granary-home.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { type Environment, homeOfAccount } from "../../support/environment.ts";
import { knownPlaces } from "../../support/files/foreign/known-places.ts";
import { mayBePresentSync } from "../../support/files/foreign/presence.ts";
import { repositoryMarks, withFoldersAbove } from "../../support/files/foreign/project-folders.ts";

export interface WritableContext {
  readonly cwd: string;
  /** A folder around it that the user works in: it came with `cwd`. */
  readonly top?: string | undefined;
  /** The folder of the runtime. Code that may write there could turn a folder in it into a link. */
  readonly base?: string | undefined;
  /** Whether that runtime has a sandbox itself, so that code in it may have chosen `cwd`. */
  readonly isConfined?: boolean | undefined;
  /** Whether `cwd` may be a folder that this sandbox is not for. */
  readonly mayLeave?: boolean | undefined;
  readonly env: Environment;
  /** Granary's own folder. */
  readonly home: string;
  readonly settings: Pick<LoadedSettings, "values">;
}

/**
 * Every folder, without links, in which code in a sandbox may have written: Granary starts no program from there outside. The folder
 * of a call does not make this list shorter, because the code in the sandbox chose it.
 */
export function writablePlaces(context: WritableContext): readonly string[] {
  // The last one has the caches of sandboxes.
  const own = [...projectPlaces(context), ...[...moreWritable(context), join(context.home, "sandbox")].map(realFolder)];
  return [...new Set([...own, ...knownPlaces(context.home)])];
}

/** The folders of the runtime and of the call, and all repositories and folders around them, without links. */
export function projectPlaces({ cwd, top, base = cwd, env }: Pick<WritableContext, "cwd" | "top" | "base" | "env">) {
  const userHome = realFolder(env.HOME || homeOfAccount());
  const folders = [base, cwd].map(realFolder);
  const repositories = folders.flatMap(withFoldersAbove).filter(isRepository);
  const around = [...repositories, ...(top === undefined ? [] : [realFolder(top)])];
  return [...new Set([...folders, ...around.filter((root) => !isUsersOwn(root, userHome))])];
}

/**
 * Whether a folder did not come from elsewhere: the home folder, also where it is a repository, of dotfiles, and the folders around
 * it. A repository around it, as with `HOME=$PWD/.home`, did.
 */
export function isUsersOwn(folder: string, userHome: string): boolean {
  if (folder === userHome || dirname(folder) === folder) return true;
  return isWithin(folder, userHome) && !isRepository(folder);
}

/** The folders of `python.sandboxWrite`, in full. */
export function moreWritable({ cwd, base = cwd, env, settings }: WritableContext): readonly string[] {
  return settings.values.python.sandboxWrite.map((folder) => resolve(base, expandHome(folder, env)));
}

function isRepository(folder: string): boolean {
  return repositoryMarks.some((name) => mayBePresentSync(join(folder, name)));
}
