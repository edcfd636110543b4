import { closeSync, constants, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseGitConfig } from "./git-config.ts";
import { readIfFile } from "./git-files.ts";

/**
 * What `git add` and `git commit` write elsewhere when the folder is a linked worktree: its own files in the repository, new objects,
 * and branches. Empty where the repository does not list this worktree itself: the file `.git` may have been written by anyone. Its
 * hooks and configuration stay read-only, and so do its logs, because git follows links in their places. The log of the
 * current branch, and files of the worktree that git writes where they are, are single files, which cannot be replaced.
 */
export function sharedWithWorktree(folder: string): readonly string[] {
  const pointer = join(folder, ".git");
  // Code in the folder may have made a link to the file of another worktree.
  if (!isPlainFile(pointer)) return [];
  const [, named] = /^gitdir: *([^\r\n]+)/.exec(readIfFile(pointer) ?? "") ?? [];
  const own = named === undefined ? null : realIfFolder(resolve(folder, named));
  if (own === null || basename(dirname(own)) !== "worktrees") return [];
  const repository = dirname(dirname(own));
  const isListed =
    realPath(resolve(own, lineIn(own, "gitdir"))) === pointer &&
    realPath(resolve(own, lineIn(own, "commondir"))) === repository;
  if (!isListed || readsMissingConfiguration(own, repository)) return [];
  const [, branch] = /^ref: (refs\/heads\/\S+)$/.exec(lineIn(own, "HEAD")) ?? [];
  const shared = [own, ...["objects", "refs/heads"].map((name) => join(repository, name))];
  if (shared.some((path) => realIfFolder(path) !== path)) return [];
  // A cell may have written HEAD. No branch of git has such a name.
  const log = branch === undefined || branch.includes("..") ? [] : [join(repository, "logs", branch)];
  const inPlace = writtenInPlace.map((name) => join(own, name));
  inPlace.forEach(makeIfAbsent);
  if (!inPlace.every(isPlainAndHere)) return [];
  return [...shared, join(own, "logs"), ...inPlace, ...log.filter(isPlainAndHere)];
}

/** git follows a link in the place of each of them, and never renames or removes them in a worktree, unless its log is shortened. */
const writtenInPlace = ["logs/HEAD", "COMMIT_EDITMSG", "FETCH_HEAD"];

/** Only a file that exists can be kept from becoming a link. git makes them as well, and takes an empty one for none. */
function makeIfAbsent(path: string): void {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
    if (realPath(folder) === folder) closeSync(openSync(path, O_CREAT | O_EXCL | O_WRONLY, 0o644));
  } catch {
    // It is there, or the caller finds that it is not.
  }
}

/** A link in any part of its path would lead elsewhere. */
function isPlainAndHere(path: string): boolean {
  return isPlainFile(path) && realPath(path) === path;
}

/** A cell could make the file, and git would run programs that it names. Also where the repository's own file does not say. */
function readsMissingConfiguration(own: string, repository: string): boolean {
  const text = readIfFile(join(repository, "config"));
  if (text === null) return true;
  const settings = parseGitConfig(text);
  const isRead = settings.some(({ name, value }) => name === "extensions.worktreeconfig" && value !== "false");
  return isRead && readIfFile(join(own, "config.worktree")) === null;
}

function lineIn(folder: string, name: string): string {
  return readIfFile(join(folder, name))?.trim() ?? "";
}

function realIfFolder(path: string): string | null {
  const real = realPath(path);
  return real !== null && lstatSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : null;
}

/** A file with other names may be anything. */
function isPlainFile(path: string): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() && found.nlink === 1;
  } catch {
    return false;
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
