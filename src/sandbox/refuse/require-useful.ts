import { GranaryError } from "../../support/granary-error.ts";
import { isWithin } from "../is-within.ts";
import { replacedFolders } from "../private-tmp.ts";
import { realIfThere, realOrSame } from "../real-path.ts";

/**
 * Throws where a sandbox with these writable folders, the working folder first, would protect nothing or cannot be made. Tools for
 * files have the folders of cells, and so none where cells have none.
 */
export function requireUseful(write: readonly string[], userHome: string): void {
  for (const folder of write) {
    const isNamed = folder !== write[0];
    if (isWithin(folder, userHome)) {
      const where = isNamed ? `that may write ${folder} (python.sandboxWrite)` : `in ${folder}`;
      const problem = `A sandbox ${where} would protect nothing, because your home folder is in it.`;
      throw new GranaryError("sandbox", `${problem} ${isNamed ? nameAnother : workElsewhere}`);
    }
    if (isNamed && realIfThere(folder, write) === null) {
      const problem = `python.sandboxWrite names ${folder}, which does not exist.`;
      throw new GranaryError("sandbox", `${problem} Create the folder, or take it out of the setting.`);
    }
  }
}

/**
 * The same for folders that a sandbox has none of.
 * @param hide without links
 */
export function requireOpen(write: readonly string[], hide: readonly string[]): void {
  requireNotHidden(write, hide);
  requireNotReplaced(write);
}

function requireNotHidden(write: readonly string[], hide: readonly string[]): void {
  for (const folder of write) {
    const secret = hide.find((path) => !privateOnes().includes(path) && isWithin(path, folder));
    if (secret === undefined) continue;
    const remedy = folder === write[0] ? workElsewhere : nameAnother;
    throw new GranaryError("sandbox", `A sandbox hides ${secret}, and ${folder} is in it. ${remedy}`);
  }
}

/** Programs inside see another folder by this name, so the one outside cannot be theirs as well. */
function requireNotReplaced(write: readonly string[]): void {
  const folder = write.find((path) => privateOnes().includes(path));
  if (folder === undefined) return;
  const problem = `A sandbox has a private ${folder}, so yours cannot be written in it.`;
  throw new GranaryError("sandbox", `${problem} ${folder === write[0] ? workInside : nameInside}`);
}

const workElsewhere = "Work in the folder of a project: --cwd FOLDER.";
const workInside = "Work in a folder of your own in it: --cwd FOLDER.";
const nameInside = "Name a folder in it in python.sandboxWrite.";
const nameAnother = "Name another folder in python.sandboxWrite.";

/** Folders whose content a sandbox replaces or hides, and in which projects may be. On macOS they are links. */
export function privateOnes(): readonly string[] {
  return replacedFolders.flatMap((path) => [path, realOrSame(path)]);
}
