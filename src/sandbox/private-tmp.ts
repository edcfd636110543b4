import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { removeHostileFolder } from "../support/files/owned-folder.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";
import type { ShownLink } from "./show/python-parts.ts";

/** The folders that the private one replaces inside. */
export const replacedFolders: readonly string[] = ["/tmp", "/var/tmp"];

/** A folder of ours that lies over one in the private folder, which no program inside can rename or turn into a link then. */
export interface Cover {
  readonly at: string;
  readonly from: string;
}

/**
 * Makes the places for mounts below `/tmp`, before anything runs inside: the private folder belongs to the programs there, and a
 * launcher that made a folder in it later could be led elsewhere by a link.
 */
export function prepareMounts(paths: readonly string[], links: readonly ShownLink[], privateFolder: string): void {
  for (const path of paths) {
    const place = placeOf(path, privateFolder);
    if (place === null) continue;
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
    makeEmpty(place.from, isFolder);
    const [top = ""] = place.way;
    makeEmpty(join(privateFolder, "tmp", top), isFolder || place.way.length > 1);
  }
  for (const { at, to } of links) {
    const place = placeOf(at, privateFolder);
    if (place === null) continue;
    const [top = ""] = place.way;
    const inPrivate = join(privateFolder, "tmp", top);
    const isBelow = place.way.length > 1;
    makeEmpty(isBelow ? inPrivate : dirname(inPrivate), true);
    makeEmpty(dirname(place.from), true);
    symlinkSync(to, isBelow ? place.from : inPrivate);
  }
}

/** Leaves out paths that came later: they have no place to be mounted on. */
export function preparedOnly<Plan extends Pick<SandboxPlan, "show" | "covers">>(
  plan: Plan,
  privateFolder: string,
): Plan {
  const isPrepared = (path: string): boolean => {
    const place = placeOf(path, privateFolder);
    return place === null || existsSync(place.from);
  };
  return {
    ...plan,
    show: plan.show.filter(isPrepared),
    covers: plan.covers.filter(({ from }) => existsSync(from)),
  };
}

/** One for each folder in `/tmp` that others are mounted in. */
export function covers(paths: readonly string[], privateFolder: string): readonly Cover[] {
  const found = paths.flatMap((path) => {
    const place = placeOf(path, privateFolder);
    const [top = ""] = place?.way ?? [];
    return place === null || place.way.length < 2
      ? []
      : [[join(place.folder, top), join(coversIn(privateFolder, place.folder), top)] as const];
  });
  return [...new Map(found)].map(([at, from]) => ({ at, from }));
}

/** Without another process, unless programs left folders with something in them: then a link may appear in the way at any moment. */
export function removePrivateFolder(privateFolder: string): void {
  try {
    // Out of reach of the programs.
    rmSync(join(privateFolder, "covers"), { recursive: true, force: true });
    rmSync(join(privateFolder, "filter"), { force: true });
    for (const name of readdirSync(join(privateFolder, "tmp"))) removeOne(join(privateFolder, "tmp", name));
    for (const name of ["tmp", "empty", ""]) rmdirSync(join(privateFolder, name));
  } catch {
    removeHostileFolder(privateFolder);
  }
}

/** Follows no link. */
function removeOne(path: string): void {
  if (lstatSync(path).isDirectory()) rmdirSync(path);
  else unlinkSync(path);
}

/** Null for a path that is elsewhere. */
function placeOf(path: string, privateFolder: string) {
  const folder = replacedFolders.find((replaced) => path.startsWith(`${replaced}/`));
  if (folder === undefined) return null;
  const way = relative(folder, path).split("/");
  return { folder, way, from: join(coversIn(privateFolder, folder), ...way) };
}

function coversIn(privateFolder: string, folder: string): string {
  return join(privateFolder, "covers", folder.replaceAll("/", "-"));
}

function makeEmpty(path: string, isFolder: boolean): void {
  mkdirSync(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 });
  if (!isFolder) writeFileSync(path, "", { flag: "a" });
}
