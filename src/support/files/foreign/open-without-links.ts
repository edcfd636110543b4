import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { withoutLinks } from "../held-file.ts";
import { requireRegular } from "./regular-file.ts";

/** Linux opens a folder with this flag without reading it, so search permission suffices. */
const pathOnly = 0o10000000;

/**
 * Opens a regular file, part of its path by part: a link in any place is refused, also one that another process puts there
 * at the same time. A pipe does not block.
 * @param path absolute and without links, unless another process has changed it
 */
export function openWithoutLinks(path: string, flags: number, mode?: number): number {
  const file = openAtPlace(path, flags | withoutLinks | constants.O_NONBLOCK | constants.O_NOCTTY, mode);
  try {
    requireRegular(fstatSync(file), path);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function openAtPlace(path: string, flags: number, mode: number | undefined): number {
  // The flag of macOS is about all parts.
  if (process.platform !== "linux") return openSync(path, flags, mode);
  const names = path.split("/").filter((name) => name !== "");
  const name = names.pop() ?? ".";
  let folder = openSync("/", pathOnly | constants.O_DIRECTORY);
  try {
    for (const part of names) {
      const next = openSync(`/proc/self/fd/${folder}/${part}`, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      closeSync(folder);
      folder = next;
    }
    return openSync(`/proc/self/fd/${folder}/${name}`, flags, mode);
  } finally {
    closeSync(folder);
  }
}
