import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { withFoldersAbove } from "../../support/files/foreign/project-folders.ts";
import { packageFile } from "../../support/files/package-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { gitFiles } from "../git/git-files.ts";
import { isWithin } from "../is-within.ts";
import { stepsOf } from "../leads-into.ts";
import { realIfThere, realOrSame } from "../real-path.ts";
import { requireAbsent } from "../refuse/require-absent.ts";
import { readOnlyNames } from "./read-only-names.ts";

export interface Protection {
  /** The writable folders. */
  readonly write: readonly string[];
  /** Folders that code in other sandboxes can write. */
  readonly known?: readonly string[] | undefined;
  readonly userHome: string;
  /** Granary's own folder: a file of it may be a link into a writable one, such as a repository of dotfiles. */
  readonly granaryHome?: string | undefined;
  /** Folders whose settings and modules the user trusts, also below a writable one. */
  readonly trusted?: readonly string[] | undefined;
}

/** Files in writable folders that programs outside run or obey, by their names, which need not exist, and what they lead to. */
export function protectedPaths(protection: Protection): readonly string[] {
  const all = [...protectedNames(protection), ...filesOfGit(protection)];
  const names = all.filter((path) => isBelow(protection.write, path));
  return [...new Set([...names, ...protectedThere(protection)])];
}

/**
 * The files of them that exist, without links. A cell may have made a link with such a name: behind one that leads out of the folder, or nowhere,
 * there is nothing to protect, and a mount on it would open what is there.
 */
export function protectedThere(protection: Protection): readonly string[] {
  const { write, known = [] } = protection;
  const there = (paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => realIfThere(path, [...write, ...known]) ?? []);
  const ofGit = filesOfGit(protection);
  const own = there([...protectedNames(protection), ...ofGit]).filter((path) => isBelow(write, path));
  const linksOf = (folders: readonly string[]) => folders.flatMap((folder) => linksIn(folder, [...write, ...known]));
  const granarys = linksOf(there(foldersOfGranary(protection))).filter(isOfGranary);
  for (const link of granarys) requireLasting(link, write, own);
  const others = [...ofGit.filter((path) => !isBelow(write, path)), ...write.flatMap(insideOwn)];
  for (const path of others) requireLasting(path, write, own, { mayAppear: true });
  // Programs may keep a link to all of the project in a folder of theirs.
  const linked = [...there(granarys), ...there(linksOf(own)).filter(isFile)];
  return [...new Set([...own, ...linked.filter((path) => isBelow(write, path))])];
}

/** A mount protects what a link leads to, and neither another link on the way nor a place where nothing is. */
function requireLasting(
  link: string,
  write: readonly string[],
  own: readonly string[],
  { mayAppear = false } = {},
): void {
  const isFree = (path: string) => isBelow(write, path) && !own.some((other) => isWithin(other, path));
  const steps = [...stepsOf(link)];
  const loose = steps.find(
    (step, index) => isFree(step) && (index < steps.length - 1 ? isLink(step) : !mayAppear && !existsSync(step)),
  );
  if (loose === undefined) return;
  const problem = `${link} leads to ${loose}, which code in a sandbox could make or replace, so nothing was started.`;
  throw new GranaryError("sandbox", `${problem} Let it lead to a file or folder directly, or remove it.`);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

export function isBelow(write: readonly string[], path: string): boolean {
  return !write.includes(path) && write.some((folder) => isWithin(folder, path));
}

function filesOfGit({ write, known = [], userHome }: Protection): readonly string[] {
  return write.flatMap((folder) => gitFiles(folder, userHome, [...write, ...known]));
}

function protectedNames({ write, trusted = [] }: Protection): readonly string[] {
  const names = write.flatMap((folder) => readOnlyNames.map((name) => join(folder, name)));
  return [...names, ...trusted.map(granaryIn), ...write.flatMap(ownPaths)];
}

/** With settings and modules for the writable folders. */
function foldersOfGranary({ write, granaryHome, trusted = [] }: Protection): readonly string[] {
  const around = [...new Set([...write.flatMap(withFoldersAbove), ...trusted])].map(granaryIn);
  return [...around, ...(granaryHome === undefined ? [] : [granaryHome])].flatMap((folder) => [
    folder,
    join(folder, "modules"),
  ]);
}

function granaryIn(folder: string): string {
  return join(folder, ".granary");
}

/** Granary reads no other files there. */
function isOfGranary(path: string): boolean {
  return ["settings.json", "trusted.json", "modules"].includes(basename(path)) || path.endsWith(".py");
}

/** Files of such a folder may be links to files of the project, as hooks of git are to scripts. */
function linksIn(folder: string, writable: readonly string[]): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  } catch (error) {
    // It is a file itself.
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") requireAbsent(folder, error, writable);
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Granary itself, the packages that it loads, which are beside it or above, and its Node. They run outside, also from now on. */
function ownPaths(folder: string): readonly string[] {
  const node = realOrSame(process.execPath);
  const own = realOrSame(packageFile("").replace(/\/$/, ""));
  // Work on Granary itself changes its files.
  const files = own === folder || !isWithin(folder, own) ? [] : [own, ...packagesFor(own, folder)];
  return isWithin(folder, node) ? [...files, node] : files;
}

/** So that the name itself counts as a part of the way. */
function insideOwn(folder: string): readonly string[] {
  return ownPaths(folder).map((path) => join(path, "package.json"));
}

/** The folders of packages in which Node looks, from Granary up to the writable folder. */
function packagesFor(own: string, folder: string): readonly string[] {
  const above = withFoldersAbove(own).filter((path) => isWithin(folder, path));
  const around = above.filter((path) => basename(path) === "node_modules");
  return [...around, ...above.map((path) => join(path, "node_modules"))];
}
