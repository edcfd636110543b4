import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { mayBePresentSync } from "../../support/files/foreign/presence.ts";
import { withFoldersAbove } from "../../support/files/foreign/project-folders.ts";
import { realIfThere } from "../real-path.ts";
import { requireAbsent } from "../refuse/require-absent.ts";
import { type GitSetting, parseGitConfig } from "./git-config.ts";

/**
 * The files that git reads as configuration, or runs as hooks, when a user works in that folder: in its repository, wherever that is,
 * in those that the folder is in, and behind `include.path` and `core.hooksPath`. Those need not exist.
 * @param writable folders that code in a sandbox can write; throws where a file in them cannot be read
 */
export function gitFiles(folder: string, userHome: string, writable: readonly string[]): readonly string[] {
  const [, ...above] = withFoldersAbove(folder);
  const around = above.filter((path) => mayBePresentSync(join(path, ".git")));
  return [folder, ...around].flatMap((path) => filesOfTree(path, userHome, writable));
}

function filesOfTree(folder: string, userHome: string, writable: readonly string[]): readonly string[] {
  const repositories = repositoriesOf(folder, writable);
  const own = [`${userHome}/.gitconfig`, `${userHome}/.config/git/config`, "/etc/gitconfig"];
  const configurations = [...own, ...repositories.flatMap((path) => [`${path}/config`, `${path}/config.worktree`])];
  const read = new Map<string, readonly GitSetting[]>();
  for (const path of configurations) readWithIncludes(path, { userHome, writable }, read);
  const hooks = [...read.values()].flat().filter(({ name, value }) => name === "core.hookspath" && value !== "");
  return [
    ...(readIfFile(join(folder, ".git"), writable) === null ? [] : [join(folder, ".git")]),
    ...repositories.flatMap((path) => inRepository.map((name) => join(path, name))),
    ...repositories
      .filter((path) => !path.startsWith(`${folder}/`))
      .flatMap((path) => inSharedRepository.map((name) => join(path, name))),
    ...read.keys(),
    // git takes them from where a hook runs: the working tree, or a repository without one.
    ...hooks.flatMap(({ value }) => [folder, ...repositories].map((from) => inFull(value, from, userHome))),
  ];
}

const inRepository = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"];
/** More in a repository elsewhere, of which a worktree may write some parts: see `linked-worktree.ts`. */
const inSharedRepository = ["gitdir", "objects/info", "objects/pack"];

/** `.git` is a folder, or a file that names one, as in a worktree; a bare repository is the folder itself. Worktrees share a second one. */
function repositoriesOf(folder: string, writable: readonly string[]): readonly string[] {
  const git = join(folder, ".git");
  const [, named] = /^gitdir: *([^\r\n]+)/.exec(readIfFile(git, writable) ?? "") ?? [];
  const isBare = ["HEAD", "objects"].every((name) => realIfThere(join(folder, name), writable) !== null);
  const found = [named === undefined ? git : resolve(folder, named), ...(isBare ? [folder] : [])];
  const shared = found.flatMap((path) => {
    const name = readIfFile(join(path, "commondir"), writable)?.trim();
    return name ? [resolve(path, name)] : [];
  });
  return [...new Set([...found, ...shared])];
}

interface GitReader {
  readonly userHome: string;
  readonly writable: readonly string[];
}

/** As git would with every condition of `includeIf` true. */
function readWithIncludes(path: string, reader: GitReader, read: Map<string, readonly GitSetting[]>): void {
  if (read.has(path) || read.size >= mostFiles) return;
  const settings = parseGitConfig(readIfFile(path, reader.writable) ?? "");
  read.set(path, settings);
  for (const { name, value } of settings) {
    if (/^include(if\..*)?\.path$/s.test(name))
      readWithIncludes(inFull(value, dirname(path), reader.userHome), reader, read);
  }
}

const mostFiles = 100;

function inFull(path: string, from: string, userHome: string): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : resolve(from, path);
}

const mostBytes = 1024 * 1024;

/**
 * Null for a file that is not there, or is something else: a cell may have put a pipe or a device there, which would block.
 * @param writable folders that code in a sandbox can write; throws where a file in them cannot be read
 */
export function readIfFile(path: string, writable: readonly string[] = []): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      return found.isFile() && found.size <= mostBytes ? readFileSync(file, "utf8") : null;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!isSomethingElse.has(code)) requireAbsent(path, error, writable);
    return null;
  }
}

/** A socket, or a device without a driver. */
const isSomethingElse: ReadonlySet<string> = new Set(["ENXIO", "ENODEV"]);
