import { constants, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { whileLocked } from "../../support/files/locked-file.ts";
import { makeFolder } from "../../support/files/make-folder.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileProblem, isFolder } from "./file-problem.ts";
import type { NamedFile } from "./named-file.ts";

/** Writes a file, all of it or nothing, and makes the folders on the way. @returns whether it is a new one */
export async function writeTextFile(place: NamedFile, content: string, signal?: AbortSignal): Promise<boolean> {
  const isNew = await makeWay(place);
  try {
    const write = () => writeFileAtomically(place.real, content, { beforeReplacing: () => place.stillInside() });
    await whileLocked(place.real, { signal }, write);
  } catch (error) {
    throw await fileProblem(error, place.path);
  }
  return isNew;
}

/** Sees to it that there can be a file. @returns whether there is none yet */
export async function makeWay(place: NamedFile): Promise<boolean> {
  try {
    const existing = await stat(place.real).catch(nothingThere);
    if (existing === null) {
      await makeFolder(dirname(place.real));
      await place.stillInside();
      return true;
    }
    requirePlainFile(existing, place);
    // A new file would take a read-only one's place without being asked.
    await access(place.real, constants.W_OK);
    return false;
  } catch (error) {
    throw await fileProblem(error, place.path);
  }
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A rename would put a file where a device or a pipe was. */
function requirePlainFile(existing: Stats, { path }: NamedFile): void {
  if (existing.isDirectory()) throw isFolder(path);
  if (!existing.isFile()) throw new GranaryError("not-a-file", `${path} is no file but a pipe, a socket or a device.`);
}
