import { dirname, join } from "node:path";
import type { Environment } from "../support/environment.ts";
import { repositoryMarks } from "../support/files/foreign/project-folders.ts";
import { GranaryError } from "../support/granary-error.ts";
import { sharedWithWorktree } from "./git/linked-worktree.ts";
import { isWithin } from "./is-within.ts";
import { keptFolder } from "./kept-folder.ts";
import { listeningSockets } from "./listening-sockets.ts";
import { type Cover, covers, replacedFolders } from "./private-tmp.ts";
import { isBelow, protectedThere } from "./protected/protected-files.ts";
import { realIfThere, realOrSame } from "./real-path.ts";
import { privateOnes, requireOpen, requireUseful } from "./refuse/require-useful.ts";
import { isUsable } from "./secrets/is-usable.ts";
import { keptSecrets } from "./secrets/kept-secrets.ts";
import { inEveryMount } from "./secrets/second-mounts.ts";
import { hiddenPaths } from "./secrets/secret-paths.ts";
import { secretPlaces } from "./secrets/secret-places.ts";
import type { ShownLink } from "./show/python-parts.ts";
import { shownPaths } from "./show/shown-paths.ts";
import { devices, systemPaths } from "./system-paths.ts";

export type SandboxMode = "workspace" | "strict";

/** No network, all of it, or patterns of hosts. */
export type NetworkChoice = "off" | "on" | readonly string[];

export interface SandboxWish {
  readonly mode: SandboxMode;
  readonly network: NetworkChoice;
  /** The folder that programs may write. */
  readonly cwd: string;
  /** The folder in it where they start; `cwd` by default. It may be a link by now, so nothing outside trusts it. */
  readonly start?: string | undefined;
  /** More folders that programs may write. */
  readonly write: readonly string[];
  /** Folders that code in other sandboxes can write. */
  readonly known?: readonly string[] | undefined;
  /** Paths that programs need to read: the interpreter's, Granary's Python side. */
  readonly show: readonly string[];
  /** Likewise, as files in a writable folder or a program inside say: a cell may have written them. */
  readonly claimed?: readonly string[] | undefined;
  /** The folders in Granary's own that may be among those to show. */
  readonly ownFolders?: readonly string[] | undefined;
  readonly userHome: string;
  /** The home folder of the account, where HOME is another; by default as the system knows it. */
  readonly accountHome?: string | undefined;
  readonly granaryHome: string;
  /** Folders whose settings and modules the user trusts. */
  readonly trusted?: readonly string[] | undefined;
  /** The user's variables, which may name places of secrets. */
  readonly env?: Environment | undefined;
  /** Sockets to hide; by default all on which programs listen now. */
  readonly sockets?: readonly string[] | undefined;
  /** The private folder of this sandbox, which exists. */
  readonly privateFolder: string;
  /** The folder of its caches, which exists. */
  readonly cacheFolder: string;
}

/** Limits in terms of paths, without links, for every engine. */
export interface SandboxPlan {
  readonly mode: SandboxMode;
  readonly network: NetworkChoice;
  /** Where programs start. */
  readonly cwd: string;
  readonly home: string;
  /** Writable, the working folder first, and last what a worktree shares with its repository. */
  readonly write: readonly string[];
  /** The last of them: parts of the repository of a worktree. */
  readonly shared: readonly string[];
  readonly show: readonly string[];
  /** Links to shown folders, for places that are empty otherwise. */
  readonly links: readonly ShownLink[];
  readonly hide: readonly string[];
  /** Where secrets are, may appear or may be replaced while programs run. Found when it is asked for: only Landlock needs it. */
  readonly secretPlaces: () => readonly string[];
  /** Read-only inside of writable folders. */
  readonly readOnly: readonly string[];
  /** Folders above those: a mount on each keeps a program from renaming it and putting another in its place. */
  readonly anchors: readonly string[];
  /** Folders over those of the private `/tmp` in which others are mounted. */
  readonly covers: readonly Cover[];
  /** Where `/tmp` of the sandbox is outside. */
  readonly tmp: string;
  /** An empty folder. */
  readonly empty: string;
  readonly cacheFolder: string;
  /** The socket of the proxy. */
  readonly proxy: string;
}

export const proxyName = ".proxy";

/** Throws where a sandbox would protect nothing, or would have to show a secret. */
export function planSandbox(wish: SandboxWish): SandboxPlan {
  const cwd = keptFolder(wish.cwd);
  const userHome = realOrSame(wish.userHome);
  const named = writableFolders(wish.cwd, wish.write);
  requireUseful(named, userHome);
  const starts = [cwd, wish.start ?? cwd];
  const secretNames = hiddenPaths(userHome, realOrSame(wish.granaryHome), wish.env, starts, wish.accountHome);
  const known = wish.known ?? [];
  const secrets = keptSecrets(secretNames, [...named, ...known]);
  const shared = wish.mode === "strict" ? [] : sharedWithWorktree(cwd).filter((path) => isFree(path, named, secrets));
  const write = [...named, ...shared];
  const needed = [...write, userHome, ...wish.show.map(realOrSame), wish.cacheFolder, ...systemPaths, ...devices];
  const listening = wish.sockets ?? listeningSockets({ apart: [...write, ...secrets], needed });
  const sockets = inEveryMount(listening.map(realOrSame), [...write, ...known]).filter(
    (path) => ![...write, ...secrets].some((folder) => isWithin(folder, path)),
  );
  const hide = [...secrets, ...sockets];
  requireOpen(named, hide);
  requireOutside([...write, ...known], realOrSame(wish.privateFolder));
  const hiddenInside = secrets.filter((path) => isBelow(write, path));
  const readOnly = protectedThere({ ...wish, write, known, userHome }).filter(
    (path) => !hiddenInside.some((folder) => isWithin(folder, path)),
  );
  const keptInside = [...readOnly, ...hiddenInside, ...named.filter((path) => isNested(path, named))];
  // Engines look whether a mount on an anchor is of another place, so the parts of a worktree's repository are anchors as well.
  const marks = repositoriesIn(write, known);
  const anchors = [...new Set([...shared, ...marks, ...keptInside.flatMap((path) => foldersAbove(path, write))])];
  const { show, links } = shownPaths({
    trusted: [...wish.show, ...gitIdentity(wish.mode, userHome)],
    claimed: wish.claimed ?? [],
    exactly: wish.ownFolders ?? [],
    ...{ write, secrets, home: userHome, mayHold: privateOnes() },
  });
  const tmp = join(wish.privateFolder, "tmp");
  return {
    mode: wish.mode,
    network: wish.network,
    cwd: wish.start ?? cwd,
    home: userHome,
    write,
    shared,
    show,
    links,
    covers: covers([...write, ...show, ...links.map(({ at }) => at), tmp, wish.cacheFolder], wish.privateFolder),
    hide: hide.filter((path) => !write.includes(path) && isThere(path, [...write, ...show]) && isUsable(path)),
    secretPlaces: () => secretPlaces(secretNames, secrets).filter((path) => isThere(path, [...write, ...show])),
    readOnly,
    anchors: anchors.sort((one, other) => one.length - other.length),
    tmp,
    empty: join(wish.privateFolder, "empty"),
    cacheFolder: wish.cacheFolder,
    proxy: join(tmp, proxyName),
  };
}

/** Whether a path outside of the writable folders can become writable: it is neither of a secret nor gone with the real `/tmp`. */
function isFree(path: string, write: readonly string[], secrets: readonly string[]): boolean {
  return (
    !write.some((folder) => isWithin(folder, path) || isWithin(path, folder)) &&
    !secrets.some((secret) => isWithin(secret, path) || isWithin(path, secret))
  );
}

function isNested(path: string, write: readonly string[]): boolean {
  return write.some((folder) => folder !== path && isWithin(folder, path));
}

/** Where a repository ends, trust and the limits of the folders above may end: its mark stays in its place, and writable. */
function repositoriesIn(write: readonly string[], known: readonly string[]): readonly string[] {
  const names = write.flatMap((folder) => repositoryMarks.map((name) => join(folder, name)));
  const places = names.map((path) => (realIfThere(path, [...write, ...known]) === path ? path : null));
  return places.filter((path) => path !== null);
}

/** The private files of a sandbox are for no programs inside, nor for those of another: they could change its limits. */
function requireOutside(writable: readonly string[], privateFolder: string): void {
  const around = writable.find((folder) => isWithin(folder, privateFolder));
  if (around === undefined) return;
  const problem = `The private files of a sandbox would be in ${around}, where code in a sandbox can write, because temporary files are there.`;
  throw new GranaryError("sandbox", `${problem} Set TMPDIR to another folder.`);
}

/** Without links. A folder in another one may be a link that a cell made; it is writable anyway. */
export function writableFolders(cwd: string, more: readonly string[]): readonly string[] {
  const others = more.filter((path) =>
    [cwd, keptFolder(cwd), ...more].every((other) => other === path || !isWithin(other, path)),
  );
  return [...new Set([cwd, ...others].map(keptFolder))];
}

/** With a home folder below `/tmp`, the name of the user would be gone with it, and `git commit` needs one. */
function gitIdentity(mode: SandboxMode, userHome: string): readonly string[] {
  const isReplaced = replacedFolders.some((folder) => isWithin(folder, userHome));
  const names = mode === "workspace" && isReplaced ? [".gitconfig", ".config/git/config"] : [];
  // A link could lead to anything, and would not be there itself.
  return names.map((name) => join(userHome, name)).filter((path) => realIfThere(path) === path);
}

/** False for a path that is gone with the folder that the private one replaces. */
function isThere(path: string, mounted: readonly string[]): boolean {
  const isReplaced = replacedFolders.some((folder) => path !== folder && isWithin(folder, path));
  return !isReplaced || mounted.some((folder) => isWithin(folder, path));
}

/** From the writable folder down to the path, without both. */
function foldersAbove(path: string, write: readonly string[]): readonly string[] {
  const above = dirname(path);
  return write.includes(above) ? [] : [...foldersAbove(above, write), above];
}
