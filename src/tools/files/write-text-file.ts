import { constants, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { holdFile } from "../../support/files/held-file.ts";
import { whileLocked } from "../../support/files/locked-file.ts";
import { makeFolderWithin } from "../../support/files/make-folder.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileProblem, isFolder } from "./file-problem.ts";
import type { NamedFile } from "./named-file.ts";

/** Writes a file atomically, and makes the folders of its path. @returns whether the file is new */
export async function writeTextFile(place: NamedFile, content: string, signal?: AbortSignal): Promise<boolean> {
  const isNew = await makeWay(place);
  try {
    await whileLocked(place.real, { signal, within: place.within }, async () => {
      await using held = await holdFile(place.real, place.within);
      await writeFileAtomically(held.at, content, { beforeReplacing: () => held.stillInside() });
    });
  } catch (error) {
    throw await fileProblem(error, place.path);
  }
  return isNew;
}

/** Checks that the file can be written. @returns whether it is new */
export async function makeWay(place: NamedFile): Promise<boolean> {
  try {
    const existing = await stat(place.real).catch(nothingThere);
    if (existing === null) {
      await makeFolderWithin(dirname(place.real), place.within);
      return true;
    }
    requirePlainFile(existing, place);
    // A rename would replace a read-only file.
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

/** A rename would replace a device or a pipe by a file. */
function requirePlainFile(existing: Stats, { path }: NamedFile): void {
  if (existing.isDirectory()) throw isFolder(path);
  if (!existing.isFile())
    throw new GranaryError("not-a-file", `${path} is not a file but a pipe, a socket or a device.`);
}
