import { dirname, join } from "node:path";
import { mayBePresent } from "../look.ts";

/** Of git, Mercurial, Jujutsu, Subversion, Sapling, Bazaar, Pijul, Darcs and Fossil. */
export const repositoryMarks = [".git", ".hg", ".jj", ".svn", ".sl", ".bzr", ".pijul", "_darcs", ".fslckout"];

/**
 * The folder, and those above it up to the root of its repository; outside a repository, only the folder. With `top`, a folder around
 * it that the user works in, at least up to there. Code can make a repository in any folder, so nothing that limits code may end here.
 */
export async function* projectFolders(cwd: string, top?: string): AsyncGenerator<string> {
  yield cwd;
  const [, ...above] = upTo([await nearestRepository(cwd), top], cwd);
  yield* above;
}

/** The same up to the outermost repository, or one of the given folders: code can make none of them above its own folder. */
export async function foldersAround(cwd: string, ends: readonly (string | undefined)[]): Promise<readonly string[]> {
  return upTo([...(await repositoriesAround(cwd)), ...ends], cwd);
}

/** The roots of all repositories that a folder is in, the innermost first. */
export async function repositoriesAround(folder: string): Promise<readonly string[]> {
  const folders = withFoldersAbove(folder);
  const areRoots = await Promise.all(folders.map(isRepository));
  return folders.filter((_, index) => areRoots[index]);
}

/** Whether a folder is the root of a repository. */
export async function isRepository(folder: string): Promise<boolean> {
  const marks = await Promise.all(repositoryMarks.map((name) => mayBePresent(join(folder, name))));
  return marks.includes(true);
}

async function nearestRepository(cwd: string): Promise<string | undefined> {
  for (const folder of withFoldersAbove(cwd)) if (await isRepository(folder)) return folder;
  return undefined;
}

function upTo(ends: readonly (string | undefined)[], cwd: string): readonly string[] {
  const folders = withFoldersAbove(cwd);
  const last = Math.max(0, ...ends.map((end) => folders.indexOf(end ?? cwd)));
  return folders.slice(0, last + 1);
}

/** The folder, and all that it is in, the innermost first. */
export function withFoldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withFoldersAbove(above)];
}
