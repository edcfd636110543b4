import { lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";

/** Whether there is anything of that name, as far as this user may look; true for a dangling link too. */
export async function isPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** An error for each of the many names that are not there would take longer than the look. */
export function isPresentSync(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True also where the answer is not known: code can take the rights to its folders from this user for a while. */
export async function mayBePresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== "ENOENT" && code !== "ENOTDIR",
  );
}

export function mayBePresentSync(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}
