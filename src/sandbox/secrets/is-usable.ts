import { accessSync, constants, type PathLike, statSync } from "node:fs";

/**
 * Whether this user may read, enter or connect to what is at a path, or own it and so give themselves the right. A secret of another
 * user, such as `/etc/shadow`, needs no cover.
 */
export function isUsable(path: PathLike): boolean {
  return [constants.R_OK, constants.W_OK, constants.X_OK].some((right) => isAllowed(path, right)) || isOwn(path);
}

function isAllowed(path: PathLike, right: number): boolean {
  try {
    accessSync(path, right);
    return true;
  } catch {
    return false;
  }
}

function isOwn(path: PathLike): boolean {
  try {
    return statSync(path).uid === process.getuid?.();
  } catch {
    // Gone, or in a folder that this user may not enter now.
    return true;
  }
}
