import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { closest } from "../../support/closest.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** A system error as a sentence; other errors are returned unchanged. */
export async function fileProblem(error: unknown, path: string): Promise<unknown> {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  switch (code) {
    case "ENOENT":
      return new GranaryError("no-such-file", `There is no ${path}.${await perhapsMeant(path)}`);
    case "ENOTDIR":
      return new GranaryError("no-such-file", `There is no ${path}: a part of that path is not a folder.`);
    case "EISDIR":
      return isFolder(path);
    case "EACCES":
    case "EPERM":
      return new GranaryError("not-allowed", `${path} cannot be used: permission denied.`);
    case "EROFS":
      return new GranaryError("not-allowed", `${path} cannot be written: it is on a read-only file system.`);
    case "ENOSPC":
      return new GranaryError("disk-full", `${path} cannot be written: the disk is full. Nothing was changed.`);
    case "ENAMETOOLONG":
      return new GranaryError("no-such-file", `${basename(path).slice(0, 60)}… is too long for the name of a file.`);
    default:
      return new GranaryError("unusable", `${path} cannot be used: ${systemReason(error)}.`);
  }
}

export function isFolder(path: string): GranaryError {
  return new GranaryError("is-folder", `${path} is a folder. Name a file in it.`);
}

async function perhapsMeant(path: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => null);
  if (names === null) return " Its folder does not exist.";
  const [name = ""] = basename(path).split(":", 1);
  if (name !== basename(path) && names.includes(name)) return ` Lines are named like this: ${name}:10-20.`;
  const meant = closest(basename(path), names.slice(0, mostNames));
  return meant === null ? "" : ` Did you mean ${meant}?`;
}

const mostNames = 2000;
